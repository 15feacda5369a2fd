import type { Clock, HolderReading } from '../../core/index.ts'

// How long a holder with a heartbeat every five seconds is silent before it counts as dead.
const SILENCE_MS = 60_000
// After a longer gap between two answers of the store, it is unknown what was written meanwhile.
const LONGEST_GAP_MS = 15_000

/**
 * Watches holders whose processes cannot be observed from here. Only our own observations count: not the timestamps
 * that others write, since their clocks may be wrong, and not periods when the store could not be reached.
 */
export interface SilenceWatch {
  /** Records an answer of the store. */
  saw(holders: readonly HolderReading[]): void
  /** The store could not be reached: the silence so far means nothing. */
  missed(): void
  /** Whether there was no sign of it for a minute during which the store answered throughout. */
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
