import { Budget, MemoryStore } from 'llm-budget'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Work } from '../measure.ts'

const ESTIMATE = { model: 'gpt-4o-mini', inputTokens: 900, outputTokens: 300 } as const
const USED = { model: 'gpt-4o-mini', inputTokens: 900, outputTokens: 100 } as const

/**
 * rate-limiter-flexible in memory: one counter on each level. It has no reservations, so the same job is to consume
 * the worst case before the call and to give back what was not used after it.
 */
export function rateLimiterSubject(levels: number): Work {
  const limiters = limitersOf(levels)
  return async (times) => {
    for (let time = 0; time < times; time++) {
      for (const limiter of limiters) await limiter.consume('key', 1_200)
      for (const limiter of limiters) await limiter.reward('key', 200)
    }
  }
}

/** rate-limiter-flexible around a tool: a tool call counts as one, so nothing is given back after it. */
export function rateLimiterToolSubject(levels: number): Work {
  const limiters = limitersOf(levels)
  const tool = () => 'text'
  return async (times) => {
    for (let time = 0; time < times; time++) {
      for (const limiter of limiters) await limiter.consume('key', 1)
      await tool()
    }
  }
}

/** llm-budget in memory: its reservations on tokens, dollars and requests of one user. */
export function llmBudgetSubject(): Work {
  const budget = budgetOfOneUser()
  return async (times) => {
    for (let time = 0; time < times; time++) {
      const reservation = await budget.reserve('user', ESTIMATE)
      await budget.settle(reservation, USED)
    }
  }
}

/** llm-budget's own wrapper around a model call, with a reservation: it prices the estimate and the usage. */
export function llmBudgetGuardSubject(): Work {
  const budget = budgetOfOneUser()
  const model = async () => USED
  return async (times) => {
    for (let time = 0; time < times; time++) await budget.guard('user', model, { reserve: ESTIMATE })
  }
}

function limitersOf(levels: number): readonly RateLimiterMemory[] {
  return Array.from({ length: levels }, (_, level) => {
    return new RateLimiterMemory({ points: 2 ** 52, duration: 0, keyPrefix: `level-${level}` })
  })
}

function budgetOfOneUser(): Budget {
  const limits = { usd: 1e9, tokens: 2 ** 52, requests: 2 ** 52, window: 'month' } as const
  return new Budget({ store: new MemoryStore(), limits })
}
