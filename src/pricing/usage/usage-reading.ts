import type { Usage } from './usage.ts'

/** An impossible value in a provider's usage: it is charged at the worst case, and an event reports it. */
export interface UsageAnomaly {
  /**
   * `missing`: a required field is absent. `malformed`: not a whole, non-negative number below 2^53. `inconsistent`: a
   * part is larger than its whole, or the whole larger than all parts.
   */
  readonly kind: 'missing' | 'malformed' | 'inconsistent'
  readonly field: string
  readonly value: unknown
}

/** Normalized usage, or `null` if it is unknown: then the caller charges the reserved worst case (law 4). */
export interface UsageReading {
  readonly usage: Usage | null
  /** Empty if the source sent no usage at all, as in an aborted stream. */
  readonly anomalies: readonly UsageAnomaly[]
}
