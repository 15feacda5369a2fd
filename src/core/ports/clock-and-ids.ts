/** The source of time and timers. */
export interface Clock {
  /** Epoch milliseconds, for records and windows. May jump. */
  wallMs(): number
  /** Milliseconds since a fixed point, for durations. Never goes back. */
  monotonicMs(): number
  /**
   * Calls back once, `delayMs` of monotonic time from now: never early, never before this returns, and never after it
   * was cancelled. Any length works; a negative delay counts as 0, and NaN is refused. With `unref`, the timer doesn't
   * keep the process alive. Returns a function that cancels it.
   */
  after(delayMs: number, callback: () => void, options?: { readonly unref?: boolean }): () => void
}

/** Cancels a timer. Idempotent. */
export type Cancel = ReturnType<Clock['after']>

/** Creates an id that is unique across all processes. */
export type CreateId = () => string

/** A number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number
