import type { Cancel, Clock } from '../../core/index.ts'

const LONGEST_MS = 7 * 86_400_000

/**
 * Keeps the process from ending while somebody waits for what only a timer will bring: the clocks of a scope alone
 * must not, or one that nobody closes would.
 */
export function keepAlive(clock: Clock): Cancel {
  return clock.after(LONGEST_MS, () => {})
}
