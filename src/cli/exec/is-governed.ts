import type { RunState } from '../../exec/index.ts'
import type { Usage } from './exec-report.ts'

/** How many model requests of each outcome reached the gateway. */
export type RequestCounts = Pick<RunState, 'calls' | 'refusedByStint' | 'refusedByProvider' | 'unanswered'>

/** How many there were in all. */
export function requestsIn({ calls, refusedByStint, refusedByProvider, unanswered }: RequestCounts): number {
  return calls + refusedByStint + refusedByProvider + unanswered
}

/**
 * Whether a run was governed. It was not if it had limits, or had to make calls, and its command never made one. Calls
 * from before a resume, and those of a nested `stint`, count as its own.
 */
export function isGoverned(state: RunState, { modelCalls }: Usage, requiresCalls: boolean): boolean {
  const hasCalled = requestsIn(state) > 0 || modelCalls.settled > 0
  return hasCalled || !(requiresCalls || state.isLimited)
}
