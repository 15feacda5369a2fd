/** Something that happens at a moment of virtual time. */
export interface QueuedEvent {
  dueMs: number
  readonly order: number
  readonly run: () => void
  /** Whose code runs; `null` for the world's own. */
  readonly gate: Gate | null
  isCancelled: boolean
}

/** What stands between a process and its next step. */
export interface Gate {
  /** Nothing of it ever runs again. */
  readonly isDead: boolean
  readonly stalledUntilMs: number
}

export interface EventQueue {
  push(event: QueuedEvent): void
  pop(): QueuedEvent | undefined
}

/** Events by time, those of one moment in the order in which they were queued: a binary heap. */
export function createEventQueue(): EventQueue {
  const heap: QueuedEvent[] = []
  const isBefore = (left: QueuedEvent, right: QueuedEvent): boolean =>
    left.dueMs < right.dueMs || (left.dueMs === right.dueMs && left.order < right.order)

  return {
    push(event) {
      let place = heap.length
      heap.push(event)
      while (place > 0) {
        const above = (place - 1) >> 1
        if (!isBefore(event, heap[above]!)) break
        heap[place] = heap[above]!
        place = above
      }
      heap[place] = event
    },
    pop() {
      const first = heap[0]
      const last = heap.pop()
      if (first === undefined || last === undefined || heap.length === 0) return first
      let place = 0
      for (;;) {
        let below = 2 * place + 1
        if (below >= heap.length) break
        if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below++
        if (!isBefore(heap[below]!, last)) break
        heap[place] = heap[below]!
        place = below
      }
      heap[place] = last
      return first
    },
  }
}
