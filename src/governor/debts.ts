import { type Cancel, type Clock, isStintError } from '../core/index.ts'

/**
 * What the store must still be told once it can be reached: that a call was made, or was not, or that a scope has ended.
 * Until then the room is taken, so that nothing is overspent meanwhile; should this process die, it is assumed.
 */
export interface Debts {
  /** Tells the store; keeps on trying where it cannot be reached now. Throws what no trying would help against. */
  attempt(pay: () => Promise<unknown>): Promise<void>
  /** Keeps on trying. Never throws. */
  add(pay: () => Promise<unknown>): void
  /** Tries once more, and no longer by itself. Throws what the store says where something is still owed. */
  close(): Promise<void>
}

const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5_000
// Beyond it the store has been away for so long that the rest is left to be assumed when this process ends.
const MOST_DEBTS = 10_000

/** Nothing is owed yet. */
export function createDebts(clock: Clock): Debts {
  const owed = new Set<() => Promise<unknown>>()
  let delayMs = FIRST_DELAY_MS
  let cancelTimer: Cancel | null = null
  let isClosed = false
  let paying: Promise<unknown> = Promise.resolve(null)

  /** One round at a time: nothing is paid twice at once. Resolves with the last refusal of what is still owed. */
  function payAll(): Promise<unknown> {
    paying = paying.then(async () => {
      let refusal: unknown = null
      for (const pay of [...owed]) {
        try {
          await pay()
          owed.delete(pay)
        } catch (error) {
          if (isPassing(error)) refusal = error
          else owed.delete(pay)
        }
      }
      return refusal
    })
    return paying
  }

  function tryLater(): void {
    if (isClosed || cancelTimer !== null || owed.size === 0) return
    const tryNow = async (): Promise<void> => {
      await payAll()
      cancelTimer = null
      delayMs = owed.size === 0 ? FIRST_DELAY_MS : Math.min(LONGEST_DELAY_MS, delayMs * 2)
      tryLater()
    }
    cancelTimer = clock.after(delayMs, tryNow, { unref: true })
  }

  function add(pay: () => Promise<unknown>): void {
    if (owed.size >= MOST_DEBTS) return
    owed.add(pay)
    tryLater()
  }

  return {
    async attempt(pay) {
      try {
        await pay()
      } catch (error) {
        if (!isPassing(error)) throw error
        add(pay)
      }
    },
    add,
    async close() {
      isClosed = true
      cancelTimer?.()
      const refusal = await payAll()
      if (refusal !== null) throw refusal
    },
  }
}

/** Whether the store may take later what it refused now. Whether it took it, and the answer was lost, is not known. */
export function isPassing(error: unknown): boolean {
  return isStintError(error) && error.retryable
}
