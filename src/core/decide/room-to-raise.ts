import { isEnforced } from '../limits/action.ts'
import type { Limit } from '../limits/limit.ts'
import { isCounterMeter } from '../meter.ts'
import { type LimitBalance, remainingOf, type ScopeBalance } from './balance.ts'

/**
 * How far a limit of the last scope can be raised before the scopes above can't pay for it. Meters that aren't counters
 * are bounded only by the scope itself.
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
