/** Parts that one side pushes and the other reads, in order. */
export interface PartQueue {
  push(part: unknown): void
  end(): void
  all(): AsyncGenerator<unknown>
}

/** Buffers unread parts. Signals its end, but not the result. */
export function createPartQueue(): PartQueue {
  const parts: unknown[] = []
  let hasEnded = false
  let wake: () => void = () => {}
  return {
    push(part) {
      parts.push(part)
      wake()
    },
    end() {
      hasEnded = true
      wake()
    },
    async *all() {
      while (!hasEnded || parts.length > 0) {
        while (parts.length > 0) yield parts.shift()
        if (hasEnded) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
