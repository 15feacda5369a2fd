import type { Limit } from '../../../src/core/index.ts'
import { COUNTERS } from './meters.ts'
import type { WitnessLimit, WitnessScope } from './records.ts'
import { talliesOf } from './tallies.ts'

/**
 * The limits of a scope from now on. Where one is lower than what is spent or in flight already, that much may still
 * come to be really spent under it, and no more.
 */
export function witnessLimits(scope: WitnessScope, limits: readonly Limit[]): WitnessLimit[] {
  return limits.map(({ meter, per, max, action }) => {
    const index = COUNTERS.indexOf(meter as never)
    const floors = new Map<number, number>()
    for (const [start, { settled, reserved }] of index < 0 ? [] : talliesOf(scope, { per })) {
      const committed = settled[index]! + reserved[index]!
      if (committed > max) floors.set(start, committed)
    }
    const held = scope.limits.find((old) => old.meter === meter && old.per === per)?.held ?? 0
    return { key: `${scope.id} ${meter}${per === null ? '' : `/${per}`}`, meter, per, max, action, floors, held }
  })
}
