/** Where something waits until a test lets it through: slowness without a clock. */
export interface Gate {
  /** Resolves when it is this one's turn, or at once when the signal says that nobody waits any more. */
  wait(signal?: AbortSignal): Promise<void>
  /** Lets so many through, those that come later included. */
  pass(count?: number): void
  /** Lets everybody through from now on. */
  open(): void
  /** How many wait now. */
  readonly waiting: number
}

/** A gate that is closed. */
export function createGate(): Gate {
  const queue = new Set<() => void>()
  let passes = 0
  const letThrough = () => {
    for (const resolve of queue) {
      if (passes <= 0) return
      passes--
      queue.delete(resolve)
      resolve()
    }
  }
  return {
    get waiting() {
      return queue.size
    },
    wait(signal) {
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        queue.add(resolve)
        signal?.addEventListener(
          'abort',
          () => {
            queue.delete(resolve)
            resolve()
          },
          { once: true },
        )
        letThrough()
      })
    },
    pass(count = 1) {
      passes += count
      letThrough()
    },
    open() {
      passes = Number.POSITIVE_INFINITY
      letThrough()
    },
  }
}
