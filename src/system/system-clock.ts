import { InvalidOptionError } from '../core/invalid-option-error.ts'
import type { Cancel, Clock, TimerOptions } from '../core/ports.ts'

// `setTimeout` fires at once above this.
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** The time of this machine. */
export function createSystemClock(): Clock {
  return {
    wallMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    after: startTimer,
  }
}

// A timeout is at most 2^31 ms and may come a little early by the monotonic clock: look, and sleep again.
function startTimer(delayMs: number, callback: () => void, { unref = false }: TimerOptions = {}): Cancel {
  if (Number.isNaN(delayMs)) throw new InvalidOptionError('clock.after(delayMs)', delayMs, 'a number of milliseconds')
  const dueMs = performance.now() + Math.max(0, delayMs)
  let timeout: NodeJS.Timeout
  const sleep = (leftMs: number) => {
    timeout = setTimeout(wake, Math.min(Math.ceil(leftMs), LONGEST_TIMEOUT_MS))
    if (unref) timeout.unref()
  }
  const wake = () => {
    const leftMs = dueMs - performance.now()
    if (leftMs > 0) sleep(leftMs)
    else callback()
  }
  sleep(Math.max(0, delayMs))
  return () => clearTimeout(timeout)
}
