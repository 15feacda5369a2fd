import {
  type Announced,
  counterIndex,
  type Limit,
  type LimitBalance,
  NOTHING_ANNOUNCED,
  nextMark,
  windowAt,
} from '../../core/index.ts'

/** A counter of a scope over its whole life. */
export interface CounterState {
  readonly index: number
  settled: number
  reserved: number
}

/** What was counted in one window of a limit, and what was said of it. */
export interface WindowState {
  startMs: number
  endMs: number
  settled: number
  reserved: number
  announced: Announced
  /** From this settled amount on there is something to announce. */
  mark: number
}

/**
 * A limit in its present window. One without a period lives in a single endless window, and so is the counter of its
 * meter at the same time. The counts stand in the limit itself: the decision reads them on every call.
 */
export interface LimitState extends WindowState, LimitBalance {
  limit: Limit
  readonly index: number
  settled: number
  reserved: number
  held: number
  resetsAt: number | null
  /** The other windows by their start; `null` for a limit without a period. */
  readonly otherWindows: Map<number, WindowState> | null
  /** Reservations before this number know nothing of the limit. */
  readonly since: number
}

// More than a year of days. A window with calls in flight is kept however old it is.
const WINDOWS_KEPT = 400

/** A limit without a period goes on from `life`; one with a period counts from now on. */
export function createLimitState(limit: Limit, life: CounterState | null, atMs: number, since: number): LimitState {
  const index = counterIndex(limit.meter)
  const hasWindows = limit.per !== null && index >= 0
  const window = hasWindows ? newWindow(limit, atMs) : endlessWindow(limit, life)
  return {
    limit,
    index,
    startMs: window.startMs,
    endMs: window.endMs,
    settled: window.settled,
    reserved: window.reserved,
    announced: window.announced,
    mark: window.mark,
    held: 0,
    resetsAt: hasWindows ? window.endMs : null,
    otherWindows: hasWindows ? new Map() : null,
    since: hasWindows ? since : 0,
  }
}

/** The same limit with another maximum or action: the counts stay, and everything is announced anew. */
export function rewriteLimit(state: LimitState, limit: Limit): void {
  state.limit = limit
  state.announced = NOTHING_ANNOUNCED
  state.mark = nextMark(limit, NOTHING_ANNOUNCED)
}

/** Makes the window at `atMs` the present one. Holds lie on the limit, so they stand in the new window too. */
export function rollTo(state: LimitState, atMs: number): void {
  const next = windowOf(state, atMs)
  if (next === state) return
  const { startMs, endMs, settled, reserved, announced, mark } = state
  state.otherWindows?.set(startMs, { startMs, endMs, settled, reserved, announced, mark })
  state.otherWindows?.delete(next.startMs)
  Object.assign(state, next)
  state.resetsAt = next.endMs
}

/** The window of a reservation that was made at `atMs`, however long ago: the present one is the state itself. */
export function windowOf(state: LimitState, atMs: number): WindowState {
  if (state.otherWindows === null || (atMs >= state.startMs && atMs < state.endMs)) return state
  const fresh = newWindow(state.limit, atMs)
  const known = state.otherWindows.get(fresh.startMs)
  if (known !== undefined) return known
  if (state.otherWindows.size >= WINDOWS_KEPT) dropOldestIdle(state.otherWindows)
  state.otherWindows.set(fresh.startMs, fresh)
  return fresh
}

function newWindow(limit: Limit, atMs: number): WindowState {
  const { startMs, endMs } = windowAt(limit.per!, limit.timeZone, atMs)
  return emptyWindow(limit, startMs, endMs)
}

function endlessWindow(limit: Limit, life: CounterState | null): WindowState {
  const window = emptyWindow(limit, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  return { ...window, settled: life?.settled ?? 0, reserved: life?.reserved ?? 0 }
}

function emptyWindow(limit: Limit, startMs: number, endMs: number): WindowState {
  const mark = nextMark(limit, NOTHING_ANNOUNCED)
  return { startMs, endMs, settled: 0, reserved: 0, announced: NOTHING_ANNOUNCED, mark }
}

function dropOldestIdle(windows: Map<number, WindowState>): void {
  let oldest: WindowState | null = null
  for (const window of windows.values()) {
    if (window.reserved > 0) continue
    if (oldest === null || window.startMs < oldest.startMs) oldest = window
  }
  if (oldest !== null) windows.delete(oldest.startMs)
}
