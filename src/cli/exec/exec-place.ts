import type { ExecOutcome, GovernedRun, RunState } from '../../exec/index.ts'
import type { Usage } from './exec-report.ts'
import type { RequestCounts } from './is-governed.ts'

/** Where a command runs: under its own gateway, or under that of the enclosing `stint`. */
export interface ExecPlace {
  readonly run: GovernedRun
  /** Whether output counts as activity, for an `idleTime` limit. */
  readonly hasIdleLimit: boolean
  /**
   * Lets calls in flight finish, records how the run ended, and closes what was opened for it. `outcomeOf` says how it
   * ended, once everything is known. `state` is its last known state.
   */
  leave(outcomeOf: (totals: ExecTotals) => ExecOutcome, state: RunState | null): Promise<ExecLeft>
  /** While leaving: cuts off the calls in flight instead of waiting for them. They are charged in full. */
  hurry(): void
}

/** The totals of a run. Its last call may end after its command: a client need not wait for the end of a stream. */
export interface ExecTotals
  extends RequestCounts,
    Pick<RunState, 'clamps' | 'cutBy' | 'closing' | 'notices' | 'lastText' | 'sessionId'> {
  readonly usage: Usage
}

export interface ExecLeft {
  readonly outcome: ExecOutcome
  readonly totals: ExecTotals
}

/** Reads the totals of a run. */
export async function totalsOf(run: GovernedRun): Promise<ExecTotals> {
  const state = await run.look()
  const { calls, refusedByStint, refusedByProvider, unanswered, clamps, cutBy } = state
  const { closing, notices, lastText, sessionId } = state
  const counts = { calls, refusedByStint, refusedByProvider, unanswered, clamps, cutBy }
  return { usage: await run.usage(), ...counts, closing, notices, lastText, sessionId }
}
