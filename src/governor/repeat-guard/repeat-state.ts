/** A call that ran, and how it ended. */
export interface RanCall {
  readonly call: string
  readonly ending: string
}

/** What the guard remembers of a scope: never more than the last few calls. */
export interface RepeatState {
  /** Oldest first. */
  readonly ran: readonly RanCall[]
  /** Calls that were suppressed and still repeat. */
  readonly suppressed: readonly string[]
}

export const NO_REPEATS: RepeatState = { ran: [], suppressed: [] }

/** So many of the same with the same ending … */
export const REPEATS = 3
/** … within so many calls. */
export const WITHIN_CALLS = 6

/** Whether the last `REPEATS` times that this call ran, within the last `WITHIN_CALLS` calls, it ended the same. */
export function isRepeating({ ran }: RepeatState, call: string): boolean {
  const endings = ran.filter((entry) => entry.call === call).slice(-REPEATS)
  return endings.length === REPEATS && endings.every(({ ending }) => ending === endings[0]!.ending)
}
