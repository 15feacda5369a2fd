import { Budget, MemoryStore } from 'llm-budget'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { CounterMeter, LedgerStore, Limit } from '../src/core/index.ts'
import { createMemoryStore } from '../src/stores/memory/index.ts'

/** Something that admits and accounts for a call, so many times over. */
export type Subject = (times: number) => Promise<void>

const METERS: readonly CounterMeter[] = ['toolCalls', 'modelCalls', 'tokens', 'cost']
const AT_MS = 1_750_000_000_000

/** A limit that is never reached. */
function wideLimit(meter: CounterMeter): Limit {
  const source = { layer: 'call', written: meter } as const
  return { meter, max: 2 ** 52, per: null, timeZone: 'UTC', action: 'terminate', nearing: [0.8], source }
}

/** A chain of scopes below each other, with a limit on each of four meters. Returns the id of the innermost. */
export async function openChain(store: LedgerStore, depth: number, prefix = 'scope'): Promise<string> {
  let parentId: string | null = null
  for (let level = 0; level < depth; level++) {
    const id = `${prefix}-${level}`
    const limits = METERS.map(wideLimit)
    await store.open({ parentId, scopes: [{ id, name: id, kind: 'agent', owner: 'bench', limits }], atMs: AT_MS })
    parentId = id
  }
  return parentId!
}

/** Our memory store: reserve and settle on every scope of a path, with four limits each. */
export async function stintSubject(depth: number): Promise<Subject> {
  const store = createMemoryStore()
  const scopeId = await openChain(store, depth)
  let call = 0
  return async (times) => {
    for (let time = 0; time < times; time++) {
      const reservationId = `call-${call++}`
      const amounts = { toolCalls: 1, modelCalls: 1, tokens: 1_200, cost: 30_000 }
      await store.reserve({ reservationId, scopeId, amounts, holder: 'bench', atMs: AT_MS })
      const actual = { toolCalls: 1, modelCalls: 1, tokens: 1_000, cost: 21_000 }
      await store.settle({ reservationId, actual, atMs: AT_MS })
    }
  }
}

/**
 * rate-limiter-flexible in memory: one counter on each level. It has no reservations, so the same job is to consume
 * the worst case before the call and to give back what was not used after it.
 */
export function rateLimiterSubject(levels: number): Subject {
  const limiters = Array.from({ length: levels }, (_, level) => {
    return new RateLimiterMemory({ points: 2 ** 52, duration: 0, keyPrefix: `level-${level}` })
  })
  return async (times) => {
    for (let time = 0; time < times; time++) {
      for (const limiter of limiters) await limiter.consume('key', 1_200)
      for (const limiter of limiters) await limiter.reward('key', 200)
    }
  }
}

/** rate-limiter-flexible with half the job: the worst case is consumed, and nothing is given back. */
export function rateLimiterConsumeSubject(levels: number): Subject {
  const limiters = Array.from({ length: levels }, (_, level) => {
    return new RateLimiterMemory({ points: 2 ** 52, duration: 0, keyPrefix: `level-${level}` })
  })
  return async (times) => {
    for (let time = 0; time < times; time++) {
      for (const limiter of limiters) await limiter.consume('key', 1_200)
    }
  }
}

/** llm-budget in memory: its reservations on tokens, dollars and requests of one user. */
export function llmBudgetSubject(): Subject {
  const limits = { usd: 1e9, tokens: 2 ** 52, requests: 2 ** 52, window: 'month' } as const
  const budget = new Budget({ store: new MemoryStore(), limits })
  const estimate = { model: 'gpt-4o-mini', inputTokens: 900, outputTokens: 300 }
  const used = { model: 'gpt-4o-mini', inputTokens: 900, outputTokens: 100 }
  return async (times) => {
    for (let time = 0; time < times; time++) {
      const reservation = await budget.reserve('user', estimate)
      await budget.settle(reservation, used)
    }
  }
}

/**
 * The fastest sums that we could write by hand: the same path and meters in one flat array, no ids, no records, no
 * promises. What is above it is the price of names, repetition-proof records and an asynchronous port.
 */
export function handWrittenSubject(depth: number): Subject {
  const rows = Array.from({ length: depth }, () => METERS.map(() => ({ settled: 0, reserved: 0, max: 2 ** 52 })))
  const asked = [1, 1, 1_200, 30_000]
  const used = [1, 1, 1_000, 21_000]
  return async (times) => {
    for (let time = 0; time < times; time++) {
      let fits = true
      for (const scope of rows) {
        for (let meter = 0; meter < asked.length; meter++) {
          const { settled, reserved, max } = scope[meter]!
          if (settled + reserved + asked[meter]! > max) fits = false
        }
      }
      if (!fits) throw new Error('a limit that cannot be reached was reached')
      for (const scope of rows)
        for (let meter = 0; meter < asked.length; meter++) scope[meter]!.reserved += asked[meter]!
      for (const scope of rows) {
        for (let meter = 0; meter < asked.length; meter++) {
          scope[meter]!.reserved -= asked[meter]!
          scope[meter]!.settled += used[meter]!
        }
      }
    }
  }
}
