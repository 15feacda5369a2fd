import type { Cancel } from '../../../src/core/index.ts'
import { createDice, type Dice } from './dice.ts'
import { createEventQueue, type Gate, type QueuedEvent } from './event-queue.ts'
import { createTrace, type Trace } from './trace.ts'

/** Virtual time, and the one queue that everything asynchronous of a seed goes through. */
export interface World {
  readonly seed: number
  readonly dice: Dice
  readonly trace: Trace
  readonly nowMs: number
  /** Runs something later; if it is a process's (`gate`), only while that lives, and not while it stands still. */
  after(delayMs: number, run: () => void, gate?: Gate | null): Cancel
  /** Lets events happen until `isOver`, or until nothing is left to happen before `untilMs`. */
  run(untilMs: number, isOver: () => boolean): Promise<void>
  readonly events: number
  /** Whose code runs now; `null` for the world's own. */
  readonly current: Gate | null
  /** Looks after each event whether everything is as it must be. */
  afterEach: () => Promise<void>
  /** When everything that an event has set going waits for a later one. */
  settled: () => Promise<void>
}

/** A world at its first moment. */
export function createWorld(seed: number): World {
  const queue = createEventQueue()
  const dice = createDice(seed)
  let nowMs = 0
  let order = 0
  let events = 0
  let current: Gate | null = null

  function after(delayMs: number, run: () => void, gate: Gate | null = null): Cancel {
    const event: QueuedEvent = { dueMs: nowMs + Math.max(0, delayMs), order: order++, run, gate, isCancelled: false }
    queue.push(event)
    return () => {
      event.isCancelled = true
    }
  }

  /** `false`: it does not happen now, or not at all. */
  function mayRun(event: QueuedEvent): boolean {
    const { gate } = event
    if (event.isCancelled || gate?.isDead === true) return false
    if (gate === null || gate.stalledUntilMs <= event.dueMs) return true
    event.dueMs = gate.stalledUntilMs
    queue.push(event)
    return false
  }

  const world: World = {
    seed,
    dice,
    trace: createTrace(() => nowMs),
    get nowMs() {
      return nowMs
    },
    get current() {
      return current
    },
    get events() {
      return events
    },
    after,
    async run(untilMs, isOver) {
      await nextTurn()
      while (!isOver()) {
        const event = queue.pop()
        if (event === undefined) return
        if (event.dueMs > untilMs) {
          queue.push(event)
          nowMs = untilMs
          return
        }
        if (!mayRun(event)) continue
        nowMs = Math.max(nowMs, event.dueMs)
        events++
        current = event.gate
        event.run()
        await world.settled()
        current = null
        await world.afterEach()
      }
    },
    afterEach: async () => {},
    settled: promisesSettled,
  }
  return world
}

// Asked from a promise's callback, the next tick comes when all promises have run on, however long the chain is; and it
// comes much sooner than the next turn of the event loop, which nobody here needs.
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve)
  })
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
