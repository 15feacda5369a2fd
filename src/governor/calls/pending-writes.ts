import { type Cancel, type Clock, isStintError } from '../../core/index.ts'

/**
 * Writes that we still owe the store: a settlement, a release, or the end of a scope, kept until the store can be
 * reached. Until then the reservation stays open, so nothing is overspent; if this process dies, it is assumed.
 */
export interface PendingWrites {
  /**
   * Writes to the store; retries in the background if it cannot be reached. If the ledger is lost for this process,
   * `close` throws, so that a call that was made still returns its answer. Throws other errors that no retry can fix.
   * Writes `about` the same reservation are kept in order, behind those in progress and those owed.
   */
  attempt(pay: Pay, about?: string): Promise<void>
  /** Retries in the background. Never throws. */
  add(pay: Pay, about?: string): void
  /** Tries once more, then stops retrying. Throws the store's error if something is still owed or lost. */
  close(): Promise<void>
}

type Pay = () => Promise<unknown>

interface Debt {
  readonly pay: Pay
  readonly about: string | null
}

const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5_000
// Beyond this, the store has been unreachable for so long that the rest is left to be assumed when this process ends.
const MOST_DEBTS = 10_000

/** Nothing is owed yet. */
export function createPendingWrites(clock: Clock): PendingWrites {
  const owed = new Set<Debt>()
  // The latest write in progress about each thing.
  const underway = new Map<string, Promise<unknown>>()
  let delayMs = FIRST_DELAY_MS
  let cancelTimer: Cancel | null = null
  let isClosed = false
  // Why an owed write can never succeed: its reservation stays open, and is charged in full.
  let loss: unknown = null
  let paying: Promise<unknown> = Promise.resolve(null)

  /** One round at a time, so nothing is written twice. Resolves with the last error of what is still owed. */
  function payAll(): Promise<unknown> {
    paying = paying.then(async () => {
      let refusal: unknown = null
      const refusedAbout = new Set<string | null>()
      for (const debt of [...owed]) {
        if (debt.about !== null && refusedAbout.has(debt.about)) continue
        try {
          await debt.pay()
          owed.delete(debt)
        } catch (error) {
          if (isPassing(error)) {
            refusal = error
            refusedAbout.add(debt.about)
          } else owed.delete(debt)
          if (isLedgerLost(error)) loss ??= error
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

  function add(pay: Pay, about: string | null = null): void {
    if (owed.size >= MOST_DEBTS) return
    owed.add({ pay, about })
    tryLater()
  }

  function isOwed(about: string): boolean {
    for (const debt of owed) if (debt.about === about) return true
    return false
  }

  async function payNow(pay: Pay, about: string | null): Promise<void> {
    if (about !== null && owed.size > 0 && isOwed(about)) return add(pay, about)
    try {
      await pay()
    } catch (error) {
      if (isPassing(error)) add(pay, about)
      else if (isLedgerLost(error)) loss ??= error
      else throw error
    }
  }

  async function attempt(pay: Pay, about: string | null = null): Promise<void> {
    if (about === null) return payNow(pay, null)
    const before = underway.get(about)
    const own = before === undefined ? payNow(pay, about) : before.then(() => payNow(pay, about))
    const done = own.catch(() => {})
    underway.set(about, done)
    try {
      await own
    } finally {
      if (underway.get(about) === done) underway.delete(about)
    }
  }

  return {
    attempt,
    add,
    async close() {
      isClosed = true
      cancelTimer?.()
      const refusal = (await payAll()) ?? loss
      if (refusal !== null) throw refusal
    },
  }
}

/** Whether the ledger is lost for this process: the file was replaced, removed or damaged, or cannot be written. */
function isLedgerLost(error: unknown): boolean {
  return isStintError(error) && error.code.startsWith('ledger_')
}

/** Whether the store may accept later what it refused now. It may have accepted it, with only the answer lost. */
export function isPassing(error: unknown): boolean {
  return isStintError(error) && error.retryable
}
