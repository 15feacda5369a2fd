import type { Clock } from '../../core/index.ts'
import type { ProcessEntry } from '../../system/processes/process-table.ts'
import { sleepBy } from '../../system/sleep.ts'
import { forwardSignals } from '../forward-signals.ts'
import type { GovernedRun, RunState } from '../runs/governed-run.ts'
import type { CommandEnd, RunningCommand } from '../start-command.ts'
import { decideEnd, type EndCause, NOTHING_SEEN, type Patience, see } from './decide-end.ts'

export interface SupervisionOptions {
  readonly run: GovernedRun
  readonly command: RunningCommand
  readonly clock: Clock
  readonly patience: Patience
  /** The total time for the signals that end the command's processes. */
  readonly graceMs: number
  readonly isInteractive: boolean
  /** Called with the run's state at every check. */
  readonly onLook?: (state: RunState) => void
}

/** How a supervised command ended. */
export interface SupervisedEnd {
  readonly end: CommandEnd
  /** The run's state at the end. */
  readonly state: RunState
  /** `null` if the command ended by itself. */
  readonly cause: EndCause | null
  /** The last signal that was meant to interrupt or end it. */
  readonly signal: NodeJS.Signals | null
  /** Processes of the command that are still running. */
  readonly left: readonly ProcessEntry[]
}

const LOOK_EVERY_MS = 100
// If another process owns the run, a check may fail now and then; after this many, that process is gone.
const MOST_MISSES = 20

/** Supervises a command until it has ended: forwards signals, and ends it when its run ends. */
export async function superviseCommand(options: SupervisionOptions): Promise<SupervisedEnd> {
  const { run, command, clock, patience, graceMs, onLook } = options
  let cause: EndCause | null = null
  let ending: Promise<readonly ProcessEntry[]> | null = null
  const endIt = (why: EndCause, from: 'SIGINT' | 'SIGTERM'): void => {
    cause ??= why
    ending ??= command.end(graceMs, from)
  }
  const signals = forwardSignals(command, {
    isInteractive: options.isInteractive,
    onEnd: () => endIt('signal', 'SIGTERM'),
  })
  let state = await run.look().catch(async (error) => {
    // A command that cannot be supervised must not continue.
    await command.end(graceMs)
    signals.stop()
    throw error
  })
  let seen = NOTHING_SEEN
  let misses = 0
  let hasEnded = false
  const end = command.ended.then((ended) => {
    hasEnded = true
    return ended
  })
  while (!hasEnded) {
    await Promise.race([end, sleepBy(clock, LOOK_EVERY_MS)])
    try {
      state = await run.look()
      misses = 0
    } catch {
      if (++misses >= MOST_MISSES) endIt('lost', 'SIGINT')
      continue
    }
    onLook?.(state)
    seen = see(seen, state, clock.monotonicMs())
    const why = hasEnded ? null : decideEnd(state, seen, patience, clock.monotonicMs())
    if (why !== null) endIt(why, 'SIGINT')
  }
  // Processes that outlive a normal end are left alone; those of a run that had to end are ended too.
  if (isAtItsEnd(state) && ending === null) endIt(state.status === 'paused' ? 'paused' : 'limit', 'SIGINT')
  const survivors = await (ending as Promise<readonly ProcessEntry[]> | null)
  signals.stop()
  return { end: await end, state, cause, signal: signals.last(), left: survivors ?? command.processes() }
}

function isAtItsEnd({ isHalted, isOver, status }: RunState): boolean {
  return isHalted || isOver || status === 'paused'
}
