import type { Action } from '../../core/limits/action.ts'
import type { Period } from '../../core/limits/window.ts'
import { isCertainInFlight, isCounterMeter, METER_NAMES, type Meter } from '../../core/meter.ts'

/** The state of one limit on the path of a scope, which hints are made from. */
export interface Standing {
  readonly meter: Meter
  readonly limit: number
  readonly settled: number
  readonly reserved: number
  readonly held: number
  readonly remaining: number
  readonly action: Action
  readonly per: Period | null
  readonly scopePath: string
}

/**
 * What an agent can still count on. Most tokens and money reserved for calls in flight come back, and calls wait for
 * them: counting them as spent would make an agent stop because its siblings are busy.
 */
export function leftOf({ meter, limit, settled, held, remaining }: Standing): number {
  if (!isCounterMeter(meter) || isCertainInFlight(meter)) return remaining
  return Math.max(0, limit - settled - held)
}

/** For each meter the limit with the least left, in meter order; the first of equals. */
export function tightestPerMeter(standings: readonly Standing[]): readonly Standing[] {
  const tightest = new Map<Meter, Standing>()
  for (const standing of standings) {
    const known = tightest.get(standing.meter)
    if (known === undefined || leftOf(standing) < leftOf(known)) tightest.set(standing.meter, standing)
  }
  return METER_NAMES.flatMap((meter) => tightest.get(meter) ?? [])
}
