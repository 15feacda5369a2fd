import { isEnforced } from './action.ts'
import { covers, hasSameWindows, isAtLeastAsHard } from './covers.ts'
import { compareLimits, type Limit } from './limit.ts'

/** Those of the limits that are ceilings themselves, because nothing tighter was written. */
export function ceilingsAmong(limits: readonly Limit[]): readonly Limit[] {
  return tightestCeilings(limits.filter(({ source }) => source.layer === 'ceiling'))
}

/** The ceilings without those that another one covers; of two on one meter and period, one that stops comes first. */
export function tightestCeilings(ceilings: readonly Limit[]): readonly Limit[] {
  let standing: readonly Limit[] = []
  for (const ceiling of ceilings) {
    if (standing.some((other) => covers(other, ceiling))) continue
    standing = [...standing.filter((other) => !covers(ceiling, other)), ceiling]
  }
  const rank = (limit: Limit) => (isEnforced(limit.action) ? 0 : 1)
  return standing.toSorted((left, right) => compareLimits(left, right) || rank(left) - rank(right))
}

/** The limits, none above a ceiling, and with each ceiling that none of them covers as a limit of its own. */
export function limitsUnder(limits: readonly Limit[], ceilings: readonly Limit[]): readonly Limit[] {
  if (ceilings.length === 0) return limits
  const cut = limits.map((limit): Limit => {
    const max = Math.min(limit.max, mostUnder(limit, ceilings))
    return max === limit.max ? limit : { ...limit, max }
  })
  return [...cut, ...ceilings.filter((ceiling) => !cut.some((limit) => covers(limit, ceiling)))]
}

/** What a limit can be raised to. A ceiling that only warns bounds no limit that stops, and a day only its own days. */
export function mostUnder(limit: Limit, ceilings: readonly Limit[]): number {
  const above = ceilings.filter((ceiling) => hasSameWindows(ceiling, limit) && isAtLeastAsHard(ceiling, limit))
  return Math.min(Number.MAX_SAFE_INTEGER, ...above.map(({ max }) => max))
}
