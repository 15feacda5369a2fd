import type { Meter } from '../../core/meter.ts'
import type { Standing } from './index.ts'

/** The state of a terminating limit with this much settled, unless overridden. */
export function standingFixture(meter: Meter, limit: number, settled: number, more: Partial<Standing> = {}): Standing {
  const { reserved = 0, held = 0 } = more
  const remaining = Math.max(0, limit - settled - reserved - held)
  return { meter, limit, settled, reserved, held, remaining, action: 'terminate', per: null, scopePath: 'run', ...more }
}

/** Dollars in nano-USD. */
export function usd(dollars: number): number {
  return Math.round(dollars * 1_000_000_000)
}
