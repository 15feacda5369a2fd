import { isPlainObject } from '../../core/index.ts'

/** How far a webhook has got, and its state. Stored with its lease, so that the next process continues from here. */
export interface SinkState {
  /** Nothing from before is sent. */
  readonly startedAtMs: number
  /** Everything from before was looked at. */
  lookedAtMs: number
  /** Every change of the ledger up to here was looked at; `null`: none yet. */
  changed: number | null
  /** The number of the last event of each tree that was looked at. */
  roots: Record<string, number>
  sent: number
  /** Given up after a day. */
  dropped: number
  lastSentAtMs: number | null
  failing: { readonly sinceMs: number; readonly attempts: number; readonly reason: string } | null
}

export function newSinkState(atMs: number): SinkState {
  const counts = { sent: 0, dropped: 0, lastSentAtMs: null, failing: null }
  return { startedAtMs: atMs, lookedAtMs: atMs, changed: null, roots: Object.create(null), ...counts }
}

/** What was kept. Anything else, such as what a newer version keeps, is `null`. */
export function sinkStateFrom(text: string | null): SinkState | null {
  if (text === null) return null
  try {
    const state = JSON.parse(text)
    if (!isPlainObject(state) || !isPlainObject(state.roots) || typeof state.startedAtMs !== 'number') return null
    const roots = Object.assign(Object.create(null), state.roots)
    return { ...newSinkState(state.startedAtMs), ...state, roots }
  } catch {
    return null
  }
}
