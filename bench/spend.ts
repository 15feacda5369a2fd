import type { LedgerStore } from '../src/core/index.ts'

/** What callers got done in a time. */
export interface Spent {
  readonly pairsPerSecond: number
  /** How long each reserve and each settle took. */
  readonly milliseconds: readonly number[]
}

let rounds = 0

/** Lets so many callers reserve and settle on a scope, each one call after the other, for a time. */
export async function spend(store: LedgerStore, scopeId: string, callers: number, forMs: number): Promise<Spent> {
  const round = `${process.pid}-${++rounds}`
  const milliseconds: number[] = []
  const startedAt = performance.now()
  const until = startedAt + forMs
  const amounts = { toolCalls: 1, modelCalls: 1, tokens: 1_200, cost: 30_000 }
  const actual = { toolCalls: 1, modelCalls: 1, tokens: 1_000, cost: 21_000 }
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let call = 0; performance.now() < until; call++) {
        const reservationId = `${round}-${caller}-${call}`
        const reservedAt = performance.now()
        await store.reserve({ reservationId, scopeId, amounts, holder: 'bench', atMs: Date.now() })
        const settledAt = performance.now()
        await store.settle({ reservationId, actual, atMs: Date.now() })
        milliseconds.push(settledAt - reservedAt, performance.now() - settledAt)
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1_000
  return { pairsPerSecond: milliseconds.length / 2 / seconds, milliseconds }
}
