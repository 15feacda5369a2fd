import type { Steps } from '../core/index.ts'

let lastTurn: Promise<void> = Promise.resolve()

/**
 * A turn of the event loop of one's own: whatever else is ready goes first, and of all who wait for a turn one goes on at
 * a time, so that ten pieces of long work hold up the rest of the process no longer than one does.
 */
export function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)))
  return lastTurn
}

/** Does long work piece by piece, each in a turn of its own. What is short, `atOnce` pieces, is done at once. */
export async function inTurns<Result>(steps: Steps<Result>, atOnce = 1): Promise<Result> {
  for (let pieces = 1; ; pieces++) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (pieces >= atOnce) await nextTurn()
  }
}
