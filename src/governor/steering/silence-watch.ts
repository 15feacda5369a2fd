import type { Clock, HolderReading } from '../../core/index.ts'

// How long a holder that beats every five seconds is silent before it is dead.
const SILENCE_MS = 60_000
// Longer between two answers of the store, and nobody knows what was written meanwhile.
const LONGEST_GAP_MS = 15_000

/**
 * Watches holders whose processes cannot be seen from here. Only what was watched counts: not the times that others
 * write, since their clocks may be wrong, and not a time in which the store could not be reached.
 */
export interface SilenceWatch {
  /** Takes in what the store has answered just now. */
  saw(holders: readonly HolderReading[]): void
  /** The store could not be reached: the silence so far says nothing. */
  missed(): void
  /** Whether it has not been heard of for a minute, in which the store answered all the time. */
  isSilent(holder: string): boolean
}

export function createSilenceWatch(clock: Clock): SilenceWatch {
  let watched = new Map<string, { readonly beats: number; readonly sinceMs: number }>()
  let answeredAtMs = Number.NEGATIVE_INFINITY
  return {
    saw(holders) {
      const nowMs = clock.monotonicMs()
      const isUnbroken = nowMs - answeredAtMs <= LONGEST_GAP_MS
      answeredAtMs = nowMs
      const before = watched
      watched = new Map(
        holders.map(({ holder, beats }) => {
          const known = before.get(holder)
          const isSame = isUnbroken && known?.beats === beats
          return [holder, isSame ? known : { beats, sinceMs: nowMs }]
        }),
      )
    },
    missed() {
      answeredAtMs = Number.NEGATIVE_INFINITY
    },
    isSilent(holder) {
      const known = watched.get(holder)
      return known !== undefined && clock.monotonicMs() - known.sinceMs >= SILENCE_MS
    },
  }
}
