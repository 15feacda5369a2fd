import { createSlotList, type SlotList } from '../../../core/index.ts'

const WAITING = new WeakMap<AbortSignal, SlotList<() => void>>()

/**
 * Calls back when a signal is aborted, until cancelled. For signals that outlive thousands of calls: listeners removed
 * from an `EventTarget` reference each other, and keep what they captured alive until a full collection.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const known = WAITING.get(signal)
  if (known !== undefined) return known.enter(callback)
  const slots = createSlotList<() => void>()
  WAITING.set(signal, slots)
  signal.addEventListener('abort', () => callAll(slots), { once: true })
  return slots.enter(callback)
}

/** The same for whichever of several signals is aborted first. `undefined` entries are skipped. */
export function onAnyAbort(signals: readonly (AbortSignal | undefined)[], callback: () => void): () => void {
  const callOffs = signals.flatMap((signal) => (signal === undefined ? [] : [onAbort(signal, callback)]))
  return () => {
    for (const callOff of callOffs) callOff()
  }
}

function callAll(slots: SlotList<() => void>): void {
  for (const callback of slots) callback()
}
