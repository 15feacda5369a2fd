import { isEnded } from '../../core/index.ts'
import type { RunState } from '../runs/governed-run.ts'

/** Why a command is ended before it ends by itself. */
export type EndCause = 'limit' | 'paused' | 'stopped' | 'signal' | 'lost'

/** How long a command may continue in each case. */
export interface Patience {
  /** After the closing answer, or if there is none: time to end by itself. */
  readonly afterClosingMs: number
  /** For the closing call itself. */
  readonly closingMs: number
  /** How long a command waits in a paused run. */
  readonly pauseMs: number
}

/** When each condition was first seen; `null` if it doesn't hold. */
export interface Sightings {
  readonly haltedAtMs: number | null
  readonly closingAtMs: number | null
  readonly answeredAtMs: number | null
  readonly pausedAtMs: number | null
}

export const NOTHING_SEEN: Sightings = { haltedAtMs: null, closingAtMs: null, answeredAtMs: null, pausedAtMs: null }

/** Updates the sightings with the current state. */
export function see(before: Sightings, state: RunState, nowMs: number): Sightings {
  const since = (was: number | null, isNow: boolean): number | null => (isNow ? (was ?? nowMs) : null)
  return {
    haltedAtMs: since(before.haltedAtMs, state.isHalted),
    closingAtMs: since(before.closingAtMs, state.closing === 'underway'),
    answeredAtMs: since(before.answeredAtMs, state.closing === 'answered'),
    pausedAtMs: since(before.pausedAtMs, state.status === 'paused'),
  }
}

/**
 * Whether the command must end now, and why. At a limit, its next request is the closing call, and after the answer it
 * has some time to end by itself; without a request, that time starts at the limit. An expired clock ends it at once.
 */
export function decideEnd(state: RunState, seen: Sightings, patience: Patience, nowMs: number): EndCause | null {
  const isPast = (sinceMs: number | null, patienceMs: number): boolean =>
    sinceMs !== null && nowMs - sinceMs >= patienceMs
  if (isEnded(state.status)) return 'stopped'
  if (state.isOver) return 'limit'
  if (state.hasGivenUp || isPast(seen.pausedAtMs, patience.pauseMs)) return 'paused'
  if (!state.isHalted) return null
  // An agent inside it may have closed long before the run itself reached a limit.
  const sinceHalt = (sinceMs: number | null): number => Math.max(sinceMs ?? 0, seen.haltedAtMs ?? nowMs)
  if (state.closing === 'underway') return isPast(sinceHalt(seen.closingAtMs), patience.closingMs) ? 'limit' : null
  return isPast(sinceHalt(seen.answeredAtMs), patience.afterClosingMs) ? 'limit' : null
}
