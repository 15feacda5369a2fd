import { covers, hasSameWindows, isAtLeastAsHard } from '../decide/covers.ts'
import { isEnforced } from './action.ts'
import { compareLimits, type Limit } from './limit.ts'

/** The limits that are ceilings themselves, because nothing tighter was written. */
export function ceilingsAmong(limits: readonly Limit[]): readonly Limit[] {
  return tightestCeilings(limits.filter(({ source }) => source.layer === 'ceiling'))
}

/** The ceilings without those that another one covers. Of two on one meter and period, one that stops comes first. */
export function tightestCeilings(ceilings: readonly Limit[]): readonly Limit[] {
  let standing: readonly Limit[] = []
  for (const ceiling of ceilings) {
    if (standing.some((other) => covers(other, ceiling))) continue
    standing = [...standing.filter((other) => !covers(ceiling, other)), ceiling]
  }
  const rank = (limit: Limit) => (isEnforced(limit.action) ? 0 : 1)
  return standing.toSorted((left, right) => compareLimits(left, right) || rank(left) - rank(right))
}

/** The limits, lowered to the ceilings, plus every ceiling that no limit covers as a limit of its own. */
export function limitsUnder(limits: readonly Limit[], ceilings: readonly Limit[]): readonly Limit[] {
  if (ceilings.length === 0) return limits
  const cut = limits.map((limit): Limit => {
    const max = Math.min(limit.max, mostUnder(limit, ceilings))
    return max === limit.max ? limit : { ...limit, max }
  })
  return [...cut, ...ceilings.filter((ceiling) => !cut.some((limit) => covers(limit, ceiling)))]
}

/**
 * The maximum that a limit can be raised to. A ceiling that only warns doesn't bound a limit that stops, and a ceiling
 * per day bounds only limits per the same day.
 */
export function mostUnder(limit: Limit, ceilings: readonly Limit[]): number {
  const above = ceilings.filter((ceiling) => hasSameWindows(ceiling, limit) && isAtLeastAsHard(ceiling, limit))
  return Math.min(Number.MAX_SAFE_INTEGER, ...above.map(({ max }) => max))
}
