import { type Limit, type LimitReading, METERS, type ScopeReading } from '../../core/index.ts'

/** The name of a limit as it was written: `turns`, `cost/day`. */
export function limitName({ source, per }: Pick<Limit, 'source' | 'per'>): string {
  return per === null ? source.written : `${source.written}/${per}`
}

/** The state of a limit, as far as the ledger knows it. */
export interface LimitStanding {
  readonly limit: Limit
  readonly settled: number
  /** How much of that is only assumed. */
  readonly assumed: number
  readonly reserved: number
  readonly held: number
  readonly remaining: number
  readonly overrun: number
  readonly resetsAt: number | null
  /** `false`: only the process that runs the scope counts it, so the figures here are those of an unused limit. */
  readonly isCounted: boolean
}

/** The state of every limit of a scope. Active time is as of the last time it was recorded. */
export function standingsOf(scope: ScopeReading): readonly LimitStanding[] {
  return scope.limits.map((reading) => standingOf(scope, reading))
}

function standingOf(scope: ScopeReading, reading: LimitReading): LimitStanding {
  const { limit, settled, assumed = 0, reserved, held, remaining, overrun, resetsAt } = reading
  if (limit.meter === 'time') {
    const left = limit.max - scope.activeMs
    const clock = { settled: scope.activeMs, remaining: Math.max(0, left), overrun: Math.max(0, -left) }
    return { limit, assumed, reserved, held, resetsAt, ...clock, isCounted: true }
  }
  const { kind } = METERS[limit.meter]
  const isCounted = kind === 'counter' || kind === 'gauge'
  return { limit, settled, assumed, reserved, held, remaining, overrun, resetsAt, isCounted }
}

// Below this share a limit is shown next to the tightest.
const TIGHT_SHARE = 0.2
const MOST_SHOWN = 3

/** The limits to show first: the one with the smallest share left, and others that are tight. */
export function tightestOf(scope: ScopeReading): readonly LimitStanding[] {
  const counted = standingsOf(scope).filter(({ isCounted }) => isCounted)
  const sorted = counted.toSorted((left, right) => shareLeft(left) - shareLeft(right))
  return sorted.filter((standing, index) => index === 0 || shareLeft(standing) < TIGHT_SHARE).slice(0, MOST_SHOWN)
}

/** The share of a limit that is left, from 0 to 1. */
export function shareLeft({ remaining, limit }: LimitStanding): number {
  return limit.max === 0 ? 0 : remaining / limit.max
}
