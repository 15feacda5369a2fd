/** A call that ran, and how it ended. */
export interface RanCall {
  readonly call: string
  readonly ending: string
}

/** What the guard remembers of a scope: only the last few calls. */
export interface RepeatState {
  /** Oldest first. */
  readonly ran: readonly RanCall[]
  /** Calls that were suppressed and still repeat. */
  readonly suppressed: readonly string[]
}

export const NO_REPEATS: RepeatState = { ran: [], suppressed: [] }

/** This many equal calls with the same ending … */
export const REPEATS = 3
/** … within this many calls. */
export const WITHIN_CALLS = 6

/** Whether this call ended the same way the last `REPEATS` times it ran, within the last `WITHIN_CALLS` calls. */
export function isRepeating({ ran }: RepeatState, call: string): boolean {
  const endings = ran.filter((entry) => entry.call === call).slice(-REPEATS)
  return endings.length === REPEATS && endings.every(({ ending }) => ending === endings[0]!.ending)
}
