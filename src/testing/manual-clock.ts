import { assertKnownOptions, optionNames } from '../core/checks/assert-known-options.ts'
import { InvalidOptionError } from '../core/checks/invalid-option-error.ts'
import type { Cancel, Clock } from '../core/ports/clock-and-ids.ts'
import { createTimerQueue } from './timer-queue.ts'

/** A clock that only moves when a test advances it. */
export interface ManualClock extends Clock {
  /**
   * Advances both clocks by `ms`. Due timers fire in order, each at its own time; promises run between them, and timers
   * that they set count too. Overlapping calls are made one after the other.
   */
  advance(ms: number): Promise<void>
  /** Moves the wall clock only, forward or back, as an operator, a time sync or a suspended machine does. */
  jumpWall(ms: number): void
  /** The number of pending timers. */
  readonly pendingTimers: number
}

export interface ManualClockOptions {
  /** Default: the first moment of 2026, UTC. */
  readonly wallMs?: number
  /** Default: 0. */
  readonly monotonicMs?: number
}

const OPTIONS = optionNames<ManualClockOptions>({ wallMs: true, monotonicMs: true })

// A timer that keeps setting itself without delay would never let a step end.
const MAX_FIRED_AT_ONE_MOMENT = 100_000

/** Time for tests: nothing sleeps, and a year takes no time. */
export function createManualClock(options: ManualClockOptions = {}): ManualClock {
  assertKnownOptions('createManualClock', options, OPTIONS)
  let nowMs = options.monotonicMs ?? 0
  let wallOffsetMs = (options.wallMs ?? Date.UTC(2026, 0, 1)) - nowMs
  let lastStep: Promise<void> = Promise.resolve()
  const timers = createTimerQueue()

  async function step(ms: number): Promise<void> {
    const endMs = nowMs + ms
    let firedNow = 0
    await settlePromises()
    for (let timer = timers.takeDue(endMs); timer !== undefined; timer = timers.takeDue(endMs)) {
      firedNow = timer.dueMs > nowMs ? 1 : firedNow + 1
      if (firedNow > MAX_FIRED_AT_ONE_MOMENT) {
        throw new Error(`More than ${MAX_FIRED_AT_ONE_MOMENT} timers fired at ${nowMs} ms: one keeps setting itself.`)
      }
      nowMs = Math.max(nowMs, timer.dueMs)
      timer.callback()
      await settlePromises()
    }
    nowMs = endMs
  }

  return {
    wallMs: () => nowMs + wallOffsetMs,
    monotonicMs: () => nowMs,
    after(delayMs, callback): Cancel {
      if (Number.isNaN(delayMs))
        throw new InvalidOptionError('clock.after(delayMs)', delayMs, 'a number of milliseconds')
      return timers.add(nowMs + Math.max(0, delayMs), callback)
    },
    async advance(ms) {
      if (!(ms >= 0 && ms < Number.POSITIVE_INFINITY))
        throw new InvalidOptionError('clock.advance(ms)', ms, 'a number of milliseconds from 0')
      const thisStep = lastStep.then(() => step(ms))
      lastStep = thisStep.catch(() => {})
      await thisStep
    },
    jumpWall(ms) {
      if (!Number.isFinite(ms)) throw new InvalidOptionError('clock.jumpWall(ms)', ms, 'a number of milliseconds')
      wallOffsetMs += ms
    },
    get pendingTimers() {
      return timers.size
    },
  }
}

// Promise callbacks all run before the event loop's next turn, however long the chain is.
function settlePromises(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
