import { isEnforced } from '../../core/limits/action.ts'
import { type Limit, limitKey } from '../../core/limits/limit.ts'

/** The most that can be spent in a day of the time zone, by the limits of that zone. */
export function mostIn(limits: readonly Limit[], timeZone: string): number {
  const enforced = limits.filter((limit) => limit.timeZone === timeZone && isEnforced(limit.action))
  return Math.min(...enforced.map(({ max }) => max))
}

/** Each limit on a line: its key, its dollars, its action. */
export function shown(limits: readonly Limit[]): readonly string[] {
  return limits.map((limit) => `${limitKey(limit)}=${limit.max / 1e9} ${limit.action}`)
}
