import { constants } from 'node:os'
import { isEnded, type Status } from '../../core/index.ts'
import type { CommandEnd } from '../start-command.ts'
import { isCalledOff } from './call-off.ts'
import type { SupervisedEnd } from './supervise-command.ts'

/** The outcome of a command's run: its status in the ledger and its exit code. */
export interface ExecOutcome {
  readonly status: Exclude<Status, 'queued' | 'running'>
  readonly exitCode: number
}

/** The exit codes of `stint exec` that are not the command's own; docs/reference/cli.md explains each. */
export const EXEC_EXIT = {
  failed: 1,
  paused: 75,
  limit: 124,
  stintFailed: 125,
  notExecutable: 126,
  notFound: 127,
  stopped: 130,
} as const

const OF_A_SIGNAL = 128

/** The outcome of a run whose command has ended. A limit takes precedence over the command's own exit code. */
export function outcomeOf({ end, state, cause, signal }: Omit<SupervisedEnd, 'left'>): ExecOutcome {
  if (isCalledOff(end)) return { status: 'stopped', exitCode: EXEC_EXIT.stopped }
  if (end.error !== null) return { status: 'failed', exitCode: exitCodeOfStart(end.error) }
  if (cause === 'lost') return { status: 'failed', exitCode: EXEC_EXIT.stintFailed }
  // A raise may have come too late, when the command was already being ended.
  const wasEnded = cause === 'limit' && !isEnded(state.status)
  if (wasEnded || state.isHalted || (state.isOver && state.breaches !== null)) {
    return {
      status: state.breaches?.[0].meter === 'wallTime' ? 'timed-out' : 'limit-reached',
      exitCode: EXEC_EXIT.limit,
    }
  }
  if (state.status === 'paused') return { status: 'paused', exitCode: EXEC_EXIT.paused }
  // The provider refused it too often.
  if (state.status === 'failed') return { status: 'failed', exitCode: EXEC_EXIT.failed }
  if (isEnded(state.status) && state.status !== 'completed') return { status: 'stopped', exitCode: EXEC_EXIT.stopped }
  if (cause === 'signal' || wasInterrupted(end, signal)) return { status: 'stopped', exitCode: EXEC_EXIT.stopped }
  if (end.signal !== null) return { status: 'failed', exitCode: OF_A_SIGNAL + constants.signals[end.signal] }
  // If the last answer was cut, the command's exit code is not its own failure.
  if (state.cutBy !== null) return { status: 'limit-reached', exitCode: EXEC_EXIT.limit }
  return end.code === 0 ? { status: 'completed', exitCode: 0 } : { status: 'failed', exitCode: end.code ?? 1 }
}

/** By a signal that we forwarded, or with the exit code of a program that cleaned up first. */
function wasInterrupted(end: CommandEnd, signal: NodeJS.Signals | null): boolean {
  return signal !== null && (end.signal !== null || end.code === OF_A_SIGNAL + constants.signals[signal])
}

function exitCodeOfStart({ code }: NodeJS.ErrnoException): number {
  return code === 'ENOENT' ? EXEC_EXIT.notFound : EXEC_EXIT.notExecutable
}
