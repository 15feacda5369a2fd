import { roundUpAsShown } from '../../core/amounts/display-amount.ts'
import { assertKnownOptions, InvalidOptionError, optionNames, type ScopeReading } from '../../core/index.ts'
import type { LedgerReader } from '../operator.ts'
import { needCurve, quantileOf, shareAbove } from './kaplan-meier.ts'
import { ADVISED_METERS, type AdvisedMeter, isCountedOn, type PastRuns, pastRuns, usedBy } from './past-runs.ts'

export interface SuggestOptions {
  /** Only for this agent type; `null`: for all. */
  readonly agent: string | null
  readonly sinceMs: number
  /** The share of successful work that a limit should let finish. Default: 0.95. */
  readonly quantile?: number
}

const OPTIONS = optionNames<SuggestOptions>({ agent: true, sinceMs: true, quantile: true })

/** What past runs say about one limit of an agent. */
export interface LimitAdvice {
  readonly meter: AdvisedMeter
  /** What the quantile of successful runs needed, rounded up and within the ceilings; `null`: nothing can be said. */
  readonly suggested: number | null
  /** Why there is no suggestion. */
  readonly reason: 'too-few' | 'mostly-cut' | null
  /** That quantile as estimated; `null` if the curve doesn't reach it. */
  readonly needed: number | null
  /** The largest amount that was seen: where `needed` is unknown, it is more than this. */
  readonly largest: number
  /** The suggestion is a ceiling: the quantile is higher. */
  readonly isCeiling: boolean
  /** The share of runs that the suggestion would cut, as estimated. */
  readonly cutShare: number | null
  /** The limit of the run that ended last; `null` if it had none. */
  readonly current: number | null
}

/** Limits for an agent type, with the evidence. */
export interface AgentAdvice {
  readonly agent: string
  readonly quantile: number
  /** Runs that finished their work, that a limit cut, and that ended otherwise: these say nothing. */
  readonly done: number
  readonly cut: number
  readonly other: number
  readonly limits: readonly LimitAdvice[]
}

export const FEWEST_DONE = 20
const DEFAULT_QUANTILE = 0.95

/** Limits that most successful work would have kept within, from the runs that have ended. */
export async function suggestLimits(reader: LedgerReader, options: SuggestOptions): Promise<readonly AgentAdvice[]> {
  assertKnownOptions('suggestLimits', options, OPTIONS)
  const { agent, sinceMs, quantile = DEFAULT_QUANTILE } = options
  if (!(quantile >= 0.5 && quantile < 1)) {
    throw new InvalidOptionError('The quantile', quantile, 'a share from 0.5 to below 1, e.g. 0.95')
  }
  return (await pastRuns(reader, { agent, sinceMs })).map((runs) => adviceFor(runs, quantile))
}

function adviceFor({ agent, runs }: PastRuns, quantile: number): AgentAdvice {
  const number = (outcome: string): number => runs.filter((run) => run.outcome === outcome).length
  const [done, cut] = [number('done'), number('cut')]
  const known = runs.filter(({ outcome }) => outcome !== 'other')
  const latest = runs[0]!.scope
  const limits = ADVISED_METERS.filter((meter) => isCountedOn(known, meter)).map((meter): LimitAdvice => {
    // A run that any limit cut would have needed more of everything.
    const curve = needCurve(
      known.map(({ scope, outcome }) => ({ value: usedBy(scope, meter), isCut: outcome === 'cut' })),
    )
    const needed = quantileOf(curve, quantile)
    const ceiling = ceilingOf(latest, meter)
    const rounded = needed === null ? null : roundUpAsShown(meter, Math.max(1, needed))
    const isCeiling = rounded !== null && ceiling !== null && rounded > ceiling
    const suggested = done < FEWEST_DONE || rounded === null ? null : isCeiling ? ceiling : rounded
    return {
      meter,
      suggested,
      reason: done < FEWEST_DONE ? 'too-few' : needed === null ? 'mostly-cut' : null,
      needed,
      largest: curve.largest,
      isCeiling: suggested !== null && isCeiling,
      cutShare: suggested === null ? null : shareAbove(curve, suggested),
      current: lowest(
        latest.limits.map(({ limit }) => limit),
        meter,
      ),
    }
  })
  return { agent, quantile, done, cut, other: runs.length - done - cut, limits }
}

function ceilingOf({ ceilings }: ScopeReading, meter: AdvisedMeter): number | null {
  return lowest(ceilings, meter)
}

function lowest(limits: ScopeReading['ceilings'], meter: AdvisedMeter): number | null {
  const all = limits.flatMap((limit) => (limit.meter === meter && limit.per === null ? [limit.max] : []))
  return all.length === 0 ? null : Math.min(...all)
}
