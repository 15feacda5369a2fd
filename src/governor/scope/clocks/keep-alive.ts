import type { Cancel, Clock } from '../../../core/index.ts'

const LONGEST_MS = 7 * 86_400_000

/**
 * Keeps the process alive while a caller waits for something that only a timer will bring. The clocks of a scope must
 * not do so, or a scope that is never closed would keep it alive forever.
 */
export function keepAlive(clock: Clock): Cancel {
  return clock.after(LONGEST_MS, () => {})
}
