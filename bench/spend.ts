import type { LedgerStore } from '../src/core/index.ts'

/** What callers got done in a time. */
export interface Spent {
  readonly pairsPerSecond: number
  /** How long each reserve and each settle took. */
  readonly milliseconds: readonly number[]
}

/** A way to reserve a call and to settle it. */
export interface Spender {
  reserve(reservationId: string): Promise<unknown>
  settle(reservationId: string): Promise<unknown>
}

/** What each call reserves. */
export const RESERVED = { toolCalls: 1, modelCalls: 1, tokens: 1_200, cost: 30_000 } as const
/** What each call turns out to take. */
export const CHARGED = { toolCalls: 1, modelCalls: 1, tokens: 1_000, cost: 21_000 } as const

let rounds = 0

/** Lets so many callers reserve and settle on a scope, each one call after the other, for a time. */
export function spend(store: LedgerStore, scopeId: string, callers: number, forMs: number): Promise<Spent> {
  return spendWith(spenderOn(store, scopeId), callers, forMs)
}

export function spenderOn(store: LedgerStore, scopeId: string): Spender {
  return {
    reserve: (reservationId) =>
      store.reserve({ reservationId, scopeId, amounts: RESERVED, holder: 'bench', atMs: Date.now() }),
    settle: (reservationId) => store.settle({ reservationId, actual: CHARGED, atMs: Date.now() }),
  }
}

/** As `spend`, through anything that can reserve and settle. */
export async function spendWith(spender: Spender, callers: number, forMs: number): Promise<Spent> {
  const round = `${process.pid}-${++rounds}`
  const milliseconds: number[] = []
  const startedAt = performance.now()
  const until = startedAt + forMs
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let call = 0; performance.now() < until; call++) {
        const reservationId = `${round}-${caller}-${call}`
        const reservedAt = performance.now()
        await spender.reserve(reservationId)
        const settledAt = performance.now()
        await spender.settle(reservationId)
        milliseconds.push(settledAt - reservedAt, performance.now() - settledAt)
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1_000
  return { pairsPerSecond: milliseconds.length / 2 / seconds, milliseconds }
}
