import type { Limit, Meter } from '../../core/index.ts'

/** A limit for tests. Default: terminating, over the whole life, written in a call. */
export function limitOn(meter: Meter, max: number, more: Partial<Limit> = {}): Limit {
  const source = { layer: 'call', written: meter, field: `limits.${meter}`, call: 'governor.open' } as const
  return { meter, max, per: null, timeZone: 'UTC', action: 'terminate', nearing: [0.8], source, ...more }
}
