import type { Steps } from '../core/index.ts'

let lastTurn: Promise<void> = Promise.resolve()

/**
 * Waits for a turn of the event loop. Everything else that is ready runs first, and waiters continue one at a time, so
 * that ten long tasks delay the rest of the process no longer than one does.
 */
export function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)))
  return lastTurn
}

/** Does long work in steps, each in its own turn of the event loop. The first `atOnce` steps run without waiting. */
export async function inTurns<Result>(steps: Steps<Result>, atOnce = 1): Promise<Result> {
  for (let pieces = 1; ; pieces++) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (pieces >= atOnce) await nextTurn()
  }
}
