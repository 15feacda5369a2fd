import { isEnforced } from '../limits/action.ts'
import type { CounterMeter } from '../meter.ts'
import { remainingOf, type ScopeBalance } from './balance.ts'

/** What is left of each limited counter, on the tightest scope of a path. */
export type LeftOnPath = Readonly<Partial<Record<CounterMeter, number>>>

/** Limits that only warn are ignored. */
export function leftOnPath(rootToLeaf: readonly ScopeBalance[]): LeftOnPath {
  const left: Partial<Record<CounterMeter, number>> = {}
  for (const { limits } of rootToLeaf) {
    for (const balance of limits) {
      if (balance.index < 0 || !isEnforced(balance.limit.action)) continue
      const meter = balance.limit.meter as CounterMeter
      left[meter] = Math.min(remainingOf(balance), left[meter] ?? Number.POSITIVE_INFINITY)
    }
  }
  return left
}
