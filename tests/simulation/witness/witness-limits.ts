import type { Limit } from '../../../src/core/index.ts'
import { COUNTERS } from './meters.ts'
import type { WitnessLimit, WitnessScope, WrittenLimit } from './records.ts'
import { talliesOf } from './tallies.ts'

/**
 * The limits of a scope from now on. Where one is lower than what is spent or in flight already, that much may still
 * come to be really spent under it, and no more.
 */
export function witnessLimits(scope: WitnessScope, limits: readonly WrittenLimit[]): WitnessLimit[] {
  return limits.map(({ meter, per, max, action, isCeiling }) => {
    const index = COUNTERS.indexOf(meter as never)
    const floors = new Map<number, number>()
    for (const [start, { settled, reserved }] of index < 0 ? [] : talliesOf(scope, { per })) {
      const committed = settled[index]! + reserved[index]!
      if (committed > max) floors.set(start, committed)
    }
    const known = scope.limits.find((old) => isAlike(old, { meter, per }) && old.isCeiling === isCeiling)
    const key = `${scope.id} ${meter}${per === null ? '' : `/${per}`}${isCeiling ? ' (ceiling)' : ''}`
    return { key, meter, per, max, action, isCeiling, floors, held: known?.held ?? 0 }
  })
}

/** Limits and ceilings as somebody has written them. */
export function writtenLimits(limits: readonly Limit[]): readonly WrittenLimit[] {
  return limits.map(({ meter, per, max, action, source }) => {
    return { meter, per, max, action, isCeiling: source.layer === 'ceiling' }
  })
}

/** What the ceilings of a scope are after more were written: those that end a run, which are all that there are here. */
export function lowestCeilings(written: readonly WrittenLimit[]): readonly WrittenLimit[] {
  const lowest = new Map<string, WrittenLimit>()
  for (const ceiling of written) {
    const key = `${ceiling.meter}/${ceiling.per}`
    if (ceiling.isCeiling && ceiling.max < (lowest.get(key)?.max ?? Number.POSITIVE_INFINITY)) lowest.set(key, ceiling)
  }
  return [...lowest.values()]
}

/** What a scope with these ceilings has where these limits are written. */
export function underCeilings(
  ceilings: readonly WrittenLimit[],
  limits: readonly WrittenLimit[],
): readonly WrittenLimit[] {
  const cut = limits.map((limit) => {
    const above = ceilings.filter((ceiling) => isAlike(ceiling, limit)).map(({ max }) => max)
    return { ...limit, max: Math.min(limit.max, ...above) }
  })
  const isHeld = (ceiling: WrittenLimit): boolean =>
    cut.some((limit) => isAlike(limit, ceiling) && limit.action !== 'warn' && limit.max <= ceiling.max)
  return [...cut, ...ceilings.filter((ceiling) => !isHeld(ceiling))]
}

function isAlike(left: Pick<WrittenLimit, 'meter' | 'per'>, right: Pick<WrittenLimit, 'meter' | 'per'>): boolean {
  return left.meter === right.meter && left.per === right.per
}
