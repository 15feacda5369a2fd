import { isEnforced } from './action.ts'
import { type LimitBalance, remainingOf, type ScopeBalance } from './balance.ts'
import type { Limit } from './limit.ts'
import { isCounterMeter } from './meter.ts'

/**
 * How much a limit of the last scope may be raised before the scopes above could not pay for it. What is no counter is
 * its own.
 */
export function roomToRaise(rootToLeaf: readonly ScopeBalance[], { meter, action }: Limit): number {
  if (!isCounterMeter(meter) || !isEnforced(action)) return Number.MAX_SAFE_INTEGER
  const least = (scopes: readonly ScopeBalance[]): number => {
    const balances: readonly LimitBalance[] = scopes.flatMap(({ limits }) => limits)
    return Math.min(
      ...balances.filter(({ limit }) => limit.meter === meter && isEnforced(limit.action)).map(remainingOf),
    )
  }
  return Math.max(0, least(rootToLeaf.slice(0, -1)) - least(rootToLeaf.slice(-1)))
}
