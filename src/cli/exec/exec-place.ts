import type { ExecOutcome, GovernedRun, RunState } from '../../exec/index.ts'
import type { Usage } from './exec-report.ts'
import type { RequestCounts } from './is-governed.ts'

/** Where a command runs: under a gateway of its own, or under that of the `stint` around it. */
export interface ExecPlace {
  readonly run: GovernedRun
  /** Whether output counts as activity, because an `idleTime` limit looks at it. */
  readonly hasIdleLimit: boolean
  /**
   * Lets calls that are still in flight come to their end, writes down how the run ended, and closes what was opened
   * for it. `outcomeOf`: how it ended, once all that is known. `state`: how it stood, if that is known.
   */
  leave(outcomeOf: (totals: ExecTotals) => ExecOutcome, state: RunState | null): Promise<ExecLeft>
  /** While it leaves: cuts the calls in flight instead of waiting for them. They are charged in full. */
  hurry(): void
}

/** What a run came to in all. Its last call may end after its command: a client need not wait for the end of a stream. */
export interface ExecTotals
  extends RequestCounts,
    Pick<RunState, 'clamps' | 'cutBy' | 'closing' | 'notices' | 'lastText' | 'sessionId'> {
  readonly usage: Usage
}

export interface ExecLeft {
  readonly outcome: ExecOutcome
  readonly totals: ExecTotals
}

/** Takes stock of a run. */
export async function totalsOf(run: GovernedRun): Promise<ExecTotals> {
  const state = await run.look()
  const { calls, refusedByStint, refusedByProvider, unanswered, clamps, cutBy } = state
  const { closing, notices, lastText, sessionId } = state
  const counts = { calls, refusedByStint, refusedByProvider, unanswered, clamps, cutBy }
  return { usage: await run.usage(), ...counts, closing, notices, lastText, sessionId }
}
