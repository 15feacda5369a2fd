import { prepareClaudeCode } from './claude-code.ts'
import type { PlannedCommand } from './client.ts'
import { prepareCodex } from './codex.ts'
import { prepareOpencode } from './opencode.ts'
import { preparePi } from './pi.ts'

/** A command, prepared for the known clients. */
export interface PreparedCommand extends Pick<PlannedCommand, 'command' | 'args' | 'env'> {
  cleanUp(): void
}

const CLIENTS = [prepareClaudeCode, prepareCodex, prepareOpencode, preparePi] as const

/** Points clients that ignore the environment variables at the gateway. */
export function prepareClients(planned: PlannedCommand): PreparedCommand {
  const cleanUps: (() => void)[] = []
  let { args, env } = planned
  for (const prepare of CLIENTS) {
    const changes = prepare({ ...planned, args, env })
    args = changes.args ?? args
    env = { ...env, ...changes.env }
    if (changes.cleanUp !== undefined) cleanUps.push(changes.cleanUp)
  }
  return {
    command: planned.command,
    args,
    env,
    cleanUp() {
      for (const cleanUp of cleanUps) cleanUp()
    },
  }
}
