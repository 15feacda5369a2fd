import { METERS, type Meter, type ScopeReading } from '../../core/index.ts'
import type { LedgerReader } from '../operator.ts'

/** What limits are suggested for: what a whole run needs of it is known. */
export const ADVISED_METERS = ['toolCalls', 'time', 'cost', 'modelCalls', 'tokens'] as const satisfies readonly Meter[]

export type AdvisedMeter = (typeof ADVISED_METERS)[number]

/** A run of an agent that has ended. */
export interface PastRun {
  readonly scope: ScopeReading
  /** `done`: its work was finished, and accepted if that was checked. `cut`: a limit ended it. */
  readonly outcome: 'done' | 'cut' | 'other'
}

export interface PastRuns {
  readonly agent: string
  /** The last to end first. */
  readonly runs: readonly PastRun[]
}

const MOST_RUNS = 100_000

/** The ended runs since then by agent type, the most runs first. A subagent is a run of its type, too. */
export async function pastRuns(
  { store, nowMs }: LedgerReader,
  { agent, sinceMs }: { readonly agent: string | null; readonly sinceMs: number },
): Promise<readonly PastRuns[]> {
  const filter = { standing: 'ended', kind: 'agent', endedSinceMs: sinceMs, most: MOST_RUNS, atMs: nowMs() } as const
  const byAgent = new Map<string, PastRun[]>()
  for (const scope of await store.list(filter)) {
    const type = scope.labels.agentType ?? scope.name
    if (agent !== null && type !== agent) continue
    const runs = byAgent.get(type)
    const run = { scope, outcome: outcomeOf(scope) }
    if (runs === undefined) byAgent.set(type, [run])
    else runs.push(run)
  }
  return Array.from(byAgent, ([type, runs]) => ({ agent: type, runs })).sort(
    (left, right) => right.runs.length - left.runs.length || (left.agent < right.agent ? -1 : 1),
  )
}

/** Rejected work has the status `failed`. */
function outcomeOf({ status }: ScopeReading): PastRun['outcome'] {
  if (status === 'completed') return 'done'
  return status === 'limit-reached' || status === 'timed-out' ? 'cut' : 'other'
}

/** What a run used of a meter, with everything below it. */
export function usedBy({ activeMs, totals }: ScopeReading, meter: AdvisedMeter): number {
  return meter === 'time' ? activeMs : totals[meter].settled
}

/** Whether the amount is worth a limit: money and tokens are only if a run spent some. */
export function isCountedOn(runs: readonly PastRun[], meter: AdvisedMeter): boolean {
  return METERS[meter].unit === 'count' || runs.some(({ scope }) => usedBy(scope, meter) > 0)
}
