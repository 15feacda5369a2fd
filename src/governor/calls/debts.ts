import { type Cancel, type Clock, isStintError } from '../../core/index.ts'

/**
 * What the store must still be told once it can be reached: that a call was made, or was not, or that a scope has ended.
 * Until then the room is taken, so that nothing is overspent meanwhile; should this process die, it is assumed.
 */
export interface Debts {
  /**
   * Tells the store; keeps on trying where it cannot be reached now. Where its ledger is lost for this process, that is
   * said when it is closed: a call that was made has its answer all the same. Throws what else no trying helps against.
   * What is said `about` the same thing, a reservation, is said in order: behind what is on its way, and what is owed.
   */
  attempt(pay: Pay, about?: string): Promise<void>
  /** Keeps on trying. Never throws. */
  add(pay: Pay, about?: string): void
  /** Tries once more, and no longer by itself. Throws what the store says where something is still owed, or lost. */
  close(): Promise<void>
}

type Pay = () => Promise<unknown>

interface Debt {
  readonly pay: Pay
  readonly about: string | null
}

const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5_000
// Beyond it the store has been away for so long that the rest is left to be assumed when this process ends.
const MOST_DEBTS = 10_000

/** Nothing is owed yet. */
export function createDebts(clock: Clock): Debts {
  const owed = new Set<Debt>()
  // The last word that is on its way about each thing.
  const underway = new Map<string, Promise<unknown>>()
  let delayMs = FIRST_DELAY_MS
  let cancelTimer: Cancel | null = null
  let isClosed = false
  // Why something that is owed can never be paid: its reservation stays open, and is charged in full.
  let loss: unknown = null
  let paying: Promise<unknown> = Promise.resolve(null)

  /** One round at a time: nothing is paid twice at once. Resolves with the last refusal of what is still owed. */
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

  async function payInTurn(pay: Pay, about: string): Promise<void> {
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
    attempt: (pay, about) => (about === undefined ? payNow(pay, null) : payInTurn(pay, about)),
    add,
    async close() {
      isClosed = true
      cancelTimer?.()
      const refusal = (await payAll()) ?? loss
      if (refusal !== null) throw refusal
    },
  }
}

/** Whether this process can do nothing more with its ledger: the file is another, gone, damaged or not ours to write. */
function isLedgerLost(error: unknown): boolean {
  return isStintError(error) && error.code.startsWith('ledger_')
}

/** Whether the store may take later what it refused now. Whether it took it, and the answer was lost, is not known. */
export function isPassing(error: unknown): boolean {
  return isStintError(error) && error.retryable
}
