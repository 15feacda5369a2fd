import type { Meter } from '../meter.ts'
import type { Limit } from './limit.ts'

/** A limit for tests: terminating, without a period, written in a call, unless overridden. */
export function limitFixture(meter: Meter, max: number, more: Partial<Limit> = {}): Limit {
  const source = { layer: 'call', written: meter, field: `limits.${meter}`, call: 'governor.open' } as const
  return { meter, max, per: null, timeZone: 'UTC', action: 'terminate', nearing: [0.8], source, ...more }
}
