import type { Usage } from './usage.ts'

/** Something in a provider's usage that cannot be: it is charged at the worst case, and an event says so. */
export interface UsageAnomaly {
  /** `missing`: a field that must be there is not. `malformed`: no whole, non-negative number below 2^53.
   * `inconsistent`: a part is larger than its whole, or the whole larger than all parts. */
  readonly kind: 'missing' | 'malformed' | 'inconsistent'
  readonly field: string
  readonly value: unknown
}

/** A usage in our form, or `null` if it is unknown: then the caller charges the reserved worst case (law 4). */
export interface UsageReading {
  readonly usage: Usage | null
  /** Empty when the source sent no usage at all, as an aborted stream does. */
  readonly anomalies: readonly UsageAnomaly[]
}
