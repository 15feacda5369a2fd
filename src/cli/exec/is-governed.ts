import type { RunState } from '../../exec/index.ts'
import type { Usage } from './exec-report.ts'

/** How many requests for model calls of each kind came to the gateway. */
export type RequestCounts = Pick<RunState, 'calls' | 'refusedByStint' | 'refusedByProvider' | 'unanswered'>

/** How many there were in all. */
export function requestsIn({ calls, refusedByStint, refusedByProvider, unanswered }: RequestCounts): number {
  return calls + refusedByStint + refusedByProvider + unanswered
}

/**
 * Whether a run was held as it should be: not where it had limits, or had to make calls, and its command never made
 * one. Calls of an earlier part of the run, and those that a `stint` inside it made, count like its own.
 */
export function isGoverned(state: RunState, { modelCalls }: Usage, requiresCalls: boolean): boolean {
  const hasCalled = requestsIn(state) > 0 || modelCalls.settled > 0
  return hasCalled || !(requiresCalls || state.isLimited)
}
