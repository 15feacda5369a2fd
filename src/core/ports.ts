/** Time, as everything that lives is given it. */
export interface Clock {
  /** Epoch milliseconds: for records and for windows. May jump. */
  wallMs(): number
  /** Milliseconds since some fixed point: for durations. Never goes back. */
  monotonicMs(): number
  /**
   * Calls back once, `delayMs` of monotonic time from now: never earlier, never before this returns, and never after
   * it was cancelled. Any delay is kept, however long; one below 0 counts as 0, and NaN is refused.
   */
  after(delayMs: number, callback: () => void, options?: TimerOptions): Cancel
}

export interface TimerOptions {
  /** Whether the process may end while this timer is all that it waits for. Default: no. */
  readonly unref?: boolean
}

/** Calls a timer off. Idempotent. */
export type Cancel = () => void

/** Makes ids that nobody has used, in any process. */
export type CreateId = () => string

/** A number from 0 up to, and without, 1. */
export type Random = () => number
