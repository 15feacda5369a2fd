import { type Clock, isStintError } from '../core/index.ts'

/**
 * What the store must still be told once it can be reached: that a call was made, or was not, or that a scope has ended.
 * Until then the room is taken, so that nothing is overspent meanwhile; should this process die, it is assumed.
 */
export interface Debts {
  readonly size: number
  /** Tells the store; keeps on trying where it cannot be reached now. Throws what no trying would help against. */
  attempt(pay: () => Promise<unknown>): Promise<void>
  /** Keeps on trying. Never throws. */
  add(pay: () => Promise<unknown>): void
  /** Tries once more, now. */
  payAll(): Promise<void>
}

const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5_000
// Beyond it the store has been away for so long that what is owed is assumed anyway.
const MOST_DEBTS = 10_000

/** Nothing is owed yet. */
export function createDebts(clock: Clock): Debts {
  const owed = new Set<() => Promise<unknown>>()
  let delayMs = FIRST_DELAY_MS
  let isWaiting = false

  async function payAll(): Promise<void> {
    for (const pay of [...owed]) {
      try {
        await pay()
        owed.delete(pay)
      } catch (error) {
        if (!isPassing(error)) owed.delete(pay)
      }
    }
  }

  function tryLater(): void {
    if (isWaiting || owed.size === 0) return
    isWaiting = true
    clock.after(
      delayMs,
      async () => {
        await payAll()
        isWaiting = false
        delayMs = owed.size === 0 ? FIRST_DELAY_MS : Math.min(LONGEST_DELAY_MS, delayMs * 2)
        tryLater()
      },
      { unref: true },
    )
  }

  function add(pay: () => Promise<unknown>): void {
    if (owed.size >= MOST_DEBTS) return
    owed.add(pay)
    tryLater()
  }

  return {
    get size() {
      return owed.size
    },
    async attempt(pay) {
      try {
        await pay()
      } catch (error) {
        if (!isPassing(error)) throw error
        add(pay)
      }
    },
    add,
    payAll,
  }
}

/** Whether the store may take later what it refused now. Whether it took it, and the answer was lost, is not known. */
export function isPassing(error: unknown): boolean {
  return isStintError(error) && error.retryable
}
