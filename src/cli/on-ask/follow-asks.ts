import { printable } from '../../core/checks/printable.ts'
import type { EventOf } from '../../core/index.ts'
import type { Governor } from '../../governor/index.ts'
import type { CommandContext } from '../command-context.ts'

const TIMEOUT_MS = 10_000
const MOST_AT_ONCE = 16

/** Waits for the commands that are still running, each of which has its bound. */
export interface FollowedAsks {
  close(): Promise<void>
}

/**
 * Runs the `onAsk` command once for each request for more from a run of this process. If it fails, that is only a line
 * on standard error: the request stays open.
 */
export function followAsks(
  { config, platform }: CommandContext,
  governor: Governor,
  keyVariables: readonly string[],
): FollowedAsks {
  const { onAsk: command } = config()
  const running = new Set<Promise<void>>()
  if (command === null) return { async close() {} }
  const warn = (fault: string): void => platform.writeError(`stint: onAsk failed: ${printable(fault)}\n`)
  const run = async (event: EventOf<'increase_requested'>): Promise<void> => {
    const { runAskCommand } = await import('./run-ask-command.ts')
    const { env, workingFolder } = platform
    const fault = await runAskCommand({
      command,
      input: `${JSON.stringify(requestJson(event))}\n`,
      env,
      keyVariables,
      cwd: workingFolder,
      timeoutMs: TIMEOUT_MS,
    })
    if (fault !== null) warn(fault)
  }
  const end = governor.on('increase_requested', (event) => {
    if (running.size >= MOST_AT_ONCE) {
      warn(`${MOST_AT_ONCE} are already running`)
      return
    }
    const one = run(event)
      .catch((error: unknown) => warn(String(error)))
      .finally(() => running.delete(one))
    running.add(one)
  })
  return {
    async close() {
      end()
      await Promise.all(running)
    },
  }
}

/** The event as the log has it, and what to type. */
function requestJson(event: EventOf<'increase_requested'>): object {
  return { ...event, approve: `stint approve ${event.request}`, deny: `stint deny ${event.request}` }
}
