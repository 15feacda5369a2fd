import { AsyncResource } from 'node:async_hooks'
import type { StintEvent } from '../../core/index.ts'

/** Receives events one at a time and in order: the next one comes when its promise settles. */
export type EventListener = (event: StintEvent) => unknown

/** Delivers events to one listener. */
export interface EventDelivery {
  /** Returns immediately. `false`: the queue is full, and the event was dropped. */
  push(event: StintEvent): boolean
  /** Discards the queue, and returns its length. */
  stop(): number
  stats(): DeliveryStats
}

export interface DeliveryStats {
  readonly queued: number
  /** The listener is still handling an event. */
  readonly isBusy: boolean
  readonly delivered: number
  readonly dropped: number
  readonly errors: number
  readonly lastError: unknown
}

// After this many events in a row, yield to the rest of the process.
const BATCH = 100

/**
 * Delivers outside of the emitter's call stack, and contains every failure of the listener. `onIdle` must not throw.
 */
export function createEventDelivery(listener: EventListener, maxQueued: number, onIdle: () => void): EventDelivery {
  // A listener that calls a model must be charged where it subscribed, not to the scope of the event.
  const call = AsyncResource.bind(listener)
  let queue: StintEvent[] = []
  let head = 0
  let isBusy = false
  let delivered = 0
  let dropped = 0
  let errors = 0
  let lastError: unknown = null

  function take(): StintEvent | undefined {
    const event = queue[head++]
    if (head < queue.length && head < BATCH) return event
    queue = queue.slice(head)
    head = 0
    return event
  }

  async function deliverAll(): Promise<void> {
    let count = 0
    for (let event = take(); event !== undefined; event = take()) {
      try {
        await call(event)
        delivered++
      } catch (error) {
        errors++
        lastError = error
      }
      if (++count % BATCH === 0) await nextTurn()
    }
    isBusy = false
    onIdle()
  }

  return {
    push(event) {
      if (queue.length - head >= maxQueued) {
        dropped++
        return false
      }
      queue.push(event)
      if (!isBusy) {
        isBusy = true
        queueMicrotask(deliverAll)
      }
      return true
    },
    stop() {
      const forgotten = queue.length - head
      queue = []
      head = 0
      dropped += forgotten
      return forgotten
    },
    stats: () => ({ queued: queue.length - head, isBusy, delivered, dropped, errors, lastError }),
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
