import { createRoster, type Roster } from '../../../core/index.ts'

const WAITING = new WeakMap<AbortSignal, Roster<() => void>>()

/**
 * Calls back when a signal is aborted, until it is called off. For signals that outlive thousands of calls: listeners
 * that an `EventTarget` has removed refer to each other, and keep alive what they were for until a full collection.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const known = WAITING.get(signal)
  if (known !== undefined) return known.enter(callback)
  const roster = createRoster<() => void>()
  WAITING.set(signal, roster)
  signal.addEventListener('abort', () => callAll(roster), { once: true })
  return roster.enter(callback)
}

/** The same for whichever of several is aborted first. Those that are not there are left out. */
export function onAnyAbort(signals: readonly (AbortSignal | undefined)[], callback: () => void): () => void {
  const callOffs = signals.flatMap((signal) => (signal === undefined ? [] : [onAbort(signal, callback)]))
  return () => {
    for (const callOff of callOffs) callOff()
  }
}

function callAll(roster: Roster<() => void>): void {
  for (const callback of roster) callback()
}
