import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { type ScopeReading, StintError } from '../../core/index.ts'
import type { RunStarter } from '../../server/server-context.ts'
import type { CommandContext } from '../command-context.ts'
import { flagsAgain } from '../flags/flags-again.ts'
import type { Report } from '../output/report.ts'
import { type BackgroundRun, runInBackground } from '../run/run-in-background.ts'

// What is about this server and not about the ledger and the config.
const OWN_FLAGS = [
  '--host',
  '--port',
  '--allow-remote',
  '--allow-host',
  '--tls-cert',
  '--tls-key',
  '--behind-proxy',
  '--grace',
  '--json',
  '--by',
]

/** Starts runs as `stint run --background` and `stint resume --background` do. */
export function createRunStarter(context: CommandContext, command: Command): RunStarter {
  const again = flagsAgain(command, OWN_FLAGS)
  const runs = context.config().serve?.runs ?? null

  async function inBackground(run: BackgroundRun): Promise<void> {
    const { exitCode = 0 }: Report = await runInBackground(context, run)
    if (exitCode === 0) return
    throw new StintError('bad_request', 'The run did not start. The output of the server says why.')
  }

  return {
    agents: runs?.agents ?? null,
    async start({ agent, task, limits, budget, by }) {
      const id = randomUUID()
      const args = [
        'run',
        ...again,
        `--by=${by}`,
        `--id=${id}`,
        ...limits.map((limit) => `--limit=${limit}`),
        ...(budget === null ? [] : [`--within=${budget}`]),
        '--',
        agent,
        '-',
      ]
      const hasBegun = (scope: ScopeReading | null): boolean => scope !== null
      await inBackground({ id, agent, args, input: task, folder: runs!.folder, hasBegun })
      return { id }
    },
    async resume({ id, add, by }) {
      const store = await context.store()
      const before = (await store.read({ scopeId: id, atMs: context.platform.nowMs() }))?.at(-1)
      const owner = before?.owner ?? null
      const hasBegun = (now: ScopeReading | null): boolean => now !== null && now.owner !== owner
      const args = ['resume', ...again, `--by=${by}`, '--foreground', ...add.map((text) => `--add=${text}`), '--', id]
      await inBackground({ id, agent: before?.name ?? id, args, input: '', hasBegun })
    },
  }
}
