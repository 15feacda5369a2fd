import type { Cancel } from '../core/ports/clock-and-ids.ts'

interface Timer {
  readonly dueMs: number
  readonly callback: () => void
}

/** Timers in the order in which they are due, then in the order in which they were set. */
export interface TimerQueue {
  add(dueMs: number, callback: () => void): Cancel
  /** Removes and returns the next timer, if it is due by then. */
  takeDue(byMs: number): Timer | undefined
  readonly size: number
}

export function createTimerQueue(): TimerQueue {
  const timers: Timer[] = []

  // The first timer that is due later, after all of the same time.
  function placeBehind(dueMs: number): number {
    let low = 0
    let high = timers.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (timers[middle]!.dueMs <= dueMs) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    add(dueMs, callback) {
      const timer: Timer = { dueMs, callback }
      timers.splice(placeBehind(dueMs), 0, timer)
      return () => {
        for (let place = placeBehind(dueMs) - 1; timers[place]?.dueMs === dueMs; place--) {
          if (timers[place] === timer) timers.splice(place, 1)
        }
      }
    },
    takeDue: (byMs) => (timers.length > 0 && timers[0]!.dueMs <= byMs ? timers.shift() : undefined),
    get size() {
      return timers.length
    },
  }
}
