import { InvalidOptionError } from '../core/checks/invalid-option-error.ts'
import type { Cancel, Clock } from '../core/ports/clock-and-ids.ts'

// Above this, `setTimeout` fires at once.
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** The system's time. */
export function createSystemClock(): Clock {
  return {
    wallMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    after: startTimer,
  }
}

// A timeout may be too short, or fire a little early by the monotonic clock: check, and sleep again.
function startTimer(
  delayMs: number,
  callback: () => void,
  { unref = false }: { readonly unref?: boolean } = {},
): Cancel {
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
