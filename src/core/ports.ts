/** Time, as everything that lives is given it. */
export interface Clock {
  /** Epoch milliseconds: for records and for windows. May jump. */
  wallMs(): number
  /** Milliseconds since some fixed point: for durations. Never goes back. */
  monotonicMs(): number
}

/** Makes ids that nobody has used, in any process. */
export type CreateId = () => string

/** A number from 0 up to, and without, 1. */
export type Random = () => number
