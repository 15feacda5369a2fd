import type { Clock, LedgerStore } from '../../../src/core/index.ts'
import type { Governor } from '../../../src/governor/index.ts'
import type { World } from './world.ts'

/** A process as it lives: its gate, its clock, and the product that runs in it. */
export interface SimulatedProcess {
  readonly name: string
  readonly host: string
  /** Told apart from every other process, and from itself before a restart or after it was declared dead. */
  holder: string
  isDead: boolean
  stalledUntilMs: number
  wallOffsetMs: number
  readonly clock: Clock
  /** What the store of this process does next instead of what it should. */
  readonly storeFaults: StoreFaults
  /** The kinds of those that it has met since they last began. */
  readonly struck: Set<string>
  store: LedgerStore
  governor: Governor
  /** Until then it may still suffer from a fault of its store. */
  troubledUntilMs: number
  /** Calls that were asked for and not let in yet. */
  pendingCalls: number
  /** Loops that have not come to their end. */
  readonly tasks: Set<string>
}

/** Faults of a store as one process meets them; each count goes down with every operation that it hits. */
export interface StoreFaults {
  /** So many operations fail without any effect. */
  outages: number
  /** So many are done, but the answer is an error. */
  lostAnswers: number
  /** So many that write fail for want of space. */
  fullDisk: number
  /** So many take seconds. */
  slow: number
}

/** The first moment of the wall clocks: shortly before a full hour, so that windows change within a seed. */
export const FIRST_WALL_MS = Date.UTC(2026, 10, 16, 9, 59, 20)

/** The clock of a process: its timers run only while it lives, and its wall clock may be wrong. */
export function createProcessClock(
  world: World,
  process: Pick<SimulatedProcess, 'isDead' | 'stalledUntilMs' | 'wallOffsetMs'>,
): Clock {
  return {
    wallMs: () => Math.floor(FIRST_WALL_MS + world.nowMs + process.wallOffsetMs),
    monotonicMs: () => world.nowMs,
    after: (delayMs, callback) => world.after(delayMs, callback, process),
  }
}

/** Waits on the clock of the process: for ever, if it dies meanwhile. */
export function sleep({ clock }: SimulatedProcess, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve)
  })
}
