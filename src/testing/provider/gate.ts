/** Holds requests until a test lets them through: slowness without a clock. */
export interface Gate {
  /** Resolves when it is this request's turn, or when the signal is aborted. */
  wait(signal?: AbortSignal): Promise<void>
  /** Lets that many through, including later ones. */
  pass(count?: number): void
  /** Lets everything through from now on. */
  open(): void
  /** How many are waiting. */
  readonly waiting: number
}

/** Creates a closed gate. */
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
