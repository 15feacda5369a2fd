import { describe, expect, it } from 'vitest'
import { unitsWithin } from '../core/decide/elastic.ts'
import { clampOutput } from './call/clamp-output.ts'
import { elasticCall } from './call/elastic-call.ts'
import { estimateInput } from './estimate/estimate-input.ts'
import { DEFAULT_PRICE_BOOK } from './prices/price-book.ts'
import { costOf } from './usage/cost-of.ts'
import { completeUsage } from './usage/usage.ts'

const price = DEFAULT_PRICE_BOOK.find('claude-sonnet-4-5', { at: new Date('2026-11-15') })!

/** One client on its own budget that asks for 32,000 output tokens, 31,999 of them thinking, on every call. */
function spendAll(budgetNanoUsd: number, inputTokens: number, usedInputTokens: number) {
  let spent = 0
  let calls = 0
  while (calls < 10_000) {
    const call = { price, inputTokens, maxOutputTokens: 32_000, thinkingBudget: 31_999, cacheMark: '5m' as const }
    const { fixed, elastic } = elasticCall(call)
    const rate = elastic.rates.find(({ meter }) => meter === 'cost')!
    const payable = unitsWithin(rate, budgetNanoUsd - spent - fixed.cost!, elastic.most)
    const decision = clampOutput({ asked: 32_000, thinkingBudget: 31_999, payableNow: payable, payableLater: payable })
    if (decision.kind !== 'granted' || budgetNanoUsd - spent < fixed.cost!) break
    const outputTokens = Math.min(decision.maxOutput, 900)
    spent += costOf(price, completeUsage({ cacheWriteTokens: usedInputTokens, outputTokens }))
    calls++
  }
  return { calls, share: spent / budgetNanoUsd }
}

describe('D9: a client that asks for 32,000 output tokens with 31,999 of thinking', () => {
  it('spends more than 90 % of $1 with conversations of 2k tokens, and never exceeds it', () => {
    const { share } = spendAll(1_000_000_000, 2_000, 2_000)
    expect(share).toBeGreaterThan(0.9)
    expect(share).toBeLessThanOrEqual(1)
  })

  it('spends more than 70 % with requests of 84 kB, the first of which also runs under $0.50', () => {
    const text = 'You are an agent that edits code. Read the file before you change it, and run the tests.\n'.repeat(
      944,
    )
    const estimate = estimateInput({ addedText: text, model: 'claude-sonnet-4-5' })
    const { share } = spendAll(1_000_000_000, estimate, 20_000)
    expect(share).toBeGreaterThan(0.7)
    expect(share).toBeLessThanOrEqual(1)
    expect(spendAll(500_000_000, estimate, 20_000).calls).toBeGreaterThan(0)
  })
})
