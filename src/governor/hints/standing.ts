import type { Action } from '../../core/action.ts'
import { isCertainInFlight, isCounterMeter, METER_NAMES, type Meter } from '../../core/meter.ts'
import type { Period } from '../../core/window.ts'

/** How one limit on the path of a scope stands: what a hint is made from. */
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
 * What an agent may still count on. Tokens and money that are only reserved for calls in flight mostly come back, and
 * whoever asks for them waits: counting them as gone would send an agent home because its siblings are busy.
 */
export function leftOf({ meter, limit, settled, held, remaining }: Standing): number {
  if (!isCounterMeter(meter) || isCertainInFlight(meter)) return remaining
  return Math.max(0, limit - settled - held)
}

/** Of each meter the standing with the least left, in the order of the meters; of equals the first. */
export function tightestPerMeter(standings: readonly Standing[]): readonly Standing[] {
  const tightest = new Map<Meter, Standing>()
  for (const standing of standings) {
    const known = tightest.get(standing.meter)
    if (known === undefined || leftOf(standing) < leftOf(known)) tightest.set(standing.meter, standing)
  }
  return METER_NAMES.flatMap((meter) => tightest.get(meter) ?? [])
}
