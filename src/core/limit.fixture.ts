import type { Limit } from './limit.ts'
import type { Meter } from './meter.ts'

/** A limit for a test: terminating, over the whole life, written in a call, unless said otherwise. */
export function limitFixture(meter: Meter, max: number, more: Partial<Limit> = {}): Limit {
  const source = { layer: 'call', written: meter, field: `limits.${meter}`, call: 'governor.open' } as const
  return { meter, max, per: null, timeZone: 'UTC', action: 'terminate', nearing: [0.8], source, ...more }
}
