import { describe, expect, it } from 'vitest'
import { type CountedUsage, USUAL_MODELS } from '../../src/testing/provider/index.ts'
import { possibleSpend } from './possible-spend.ts'
import { conversationFrom, type SeenConversation } from './scripted-conversation.ts'

const usage = (counts: Partial<CountedUsage>): CountedUsage => ({
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  webSearches: 0,
  ...counts,
})
// 1 nano-USD a token of input, 10 a token of output: figures that can be followed by hand.
const PRICE = { input: 1_000, output: 10_000, cacheRead: 100, cacheWrite: 1_250, cacheWrite1h: 2_000 }
const price = { ...PRICE, webSearchNanoUsd: 0 }
const call = (inputTokens: number, outputTokens = 100) => ({
  usage: usage({ inputTokens, outputTokens }),
  toolCalls: 1,
})
const growing: SeenConversation = {
  price,
  dearestInput: price.input,
  smallestClosingTokens: 256,
  calls: [call(10_000), call(10_200), call(10_400)],
}
const conversation = conversationFrom(growing)
// The first call, 11,000, beside the closing call of the second prompt, 10,200 + 2,560.
const LEAST = 11_000 + 12_760

describe('a conversation that goes on', () => {
  it('is what was seen, and then grows as its last half did', () => {
    expect([0, 2, 3, 7].map((place) => conversation.callAt(place).usage.inputTokens)).toEqual([
      10_000, 10_400, 10_600, 11_400,
    ])
    expect(conversation.callAt(7)).toMatchObject({ toolCalls: 1, usage: { outputTokens: 100 } })
  })

  it('grows in each price class by itself', () => {
    const cached = [0, 1, 2, 3].map((round) => ({
      usage: usage({ inputTokens: 3, cacheReadTokens: round * 500, cacheWriteTokens: round === 0 ? 9_000 : 500 }),
      toolCalls: 1,
    }))
    const goesOn = conversationFrom({ ...growing, calls: cached })
    expect(goesOn.callAt(5).usage).toEqual(usage({ inputTokens: 3, cacheReadTokens: 2_500, cacheWriteTokens: 500 }))
  })

  it('needs a call to go on from', () => {
    expect(() => conversationFrom({ ...growing, calls: [] })).toThrow('without a call')
  })
})

describe('what is possible', () => {
  it('is nothing below the first call beside its smallest closing call', () => {
    expect(possibleSpend(LEAST - 1, conversation, null)).toBeNull()
  })

  it('is one call and the closing one where no second fits beside its closing call', () => {
    expect(possibleSpend(LEAST, conversation, null)).toEqual({ spentNanoUsd: 11_000 + 12_760, toolCalls: 1 })
  })

  it('is one call more from where the second and its closing call fit', () => {
    const second = 11_000 + 11_200 + 12_960
    expect(possibleSpend(second - 1, conversation, null)?.toolCalls).toBe(1)
    expect(possibleSpend(second, conversation, null)).toEqual({ spentNanoUsd: second, toolCalls: 2 })
  })

  it('never falls with the budget, and never passes it', () => {
    let before = 0
    for (let budget = LEAST; budget < 40 * LEAST; budget += 997) {
      const { spentNanoUsd, toolCalls } = possibleSpend(budget, conversation, null)!
      expect(toolCalls).toBeGreaterThanOrEqual(before)
      expect(spentNanoUsd).toBeLessThanOrEqual(budget)
      before = toolCalls
    }
    expect(before).toBeGreaterThan(30)
  })

  it('reserves at the dearest price, and spends what the cache lets it', () => {
    const cached = conversationFrom({
      ...growing,
      dearestInput: price.cacheWrite,
      calls: [0, 1, 2].map((round) => ({
        usage: usage({
          cacheReadTokens: round === 0 ? 0 : 10_000 + 200 * (round - 1),
          cacheWriteTokens: round === 0 ? 10_000 : 200,
          outputTokens: 100,
        }),
        toolCalls: 1,
      })),
    })
    const least = 12_500 + 1_000 + 10_200 * 1.25 + 2_560
    expect(possibleSpend(least - 1, cached, null)).toBeNull()
    // The second costs 1,000 + 250 + 1,000 only, but 12,750 + 1,000 beside 13,000 + 2,560 must fit.
    const second = 12_500 + 1_000 + 12_750 + 1_000 + 13_000 + 2_560
    expect(possibleSpend(second - 1, cached, null)?.toolCalls).toBe(1)
    expect(possibleSpend(second, cached, null)).toEqual({
      spentNanoUsd: 13_500 + 2_250 + 13_000 + 2_560,
      toolCalls: 2,
    })
  })

  it('reserves no smaller cap than the provider takes, and spends what the answer needs', () => {
    const thinking = conversationFrom({ ...growing, leastCapTokens: 1_025 })
    const more = (1_025 - 100) * 10
    expect(possibleSpend(LEAST + more - 1, thinking, null)).toBeNull()
    expect(possibleSpend(LEAST + more, thinking, null)).toEqual({ spentNanoUsd: LEAST, toolCalls: 1 })
  })

  it('reserves a search in each call that lists one, and spends nothing on it', () => {
    const searching = conversationFrom({ ...growing, price: { ...price, webSearchNanoUsd: 7_000 }, listsSearch: true })
    const more = 10_000 + 10_000 + 7_000
    expect(possibleSpend(LEAST + more - 1, searching, null)).toBeNull()
    expect(possibleSpend(LEAST + more, searching, null)).toEqual({ spentNanoUsd: LEAST, toolCalls: 1 })
  })

  it('closes as the run did: read from the cache, or not', () => {
    const closed = (seen: Partial<CountedUsage>) =>
      possibleSpend(LEAST, conversation, usage(seen))!.spentNanoUsd - 11_000
    // The player closes with a prompt of 10,200.
    expect(closed({ inputTokens: 10_200, outputTokens: 50 })).toBe(10_700)
    expect(closed({ inputTokens: 9_200, outputTokens: 50 })).toBe(10_700)
    expect(closed({ inputTokens: 200, cacheReadTokens: 9_000, outputTokens: 50 })).toBe(200 + 900 + 100 + 500)
  })

  it('is bounded where nothing costs anything', () => {
    const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, webSearchNanoUsd: 0 }
    const endless = conversationFrom({ ...growing, price: free, dearestInput: 0 })
    expect(() => possibleSpend(1, endless, null)).toThrow('never reaches its limit')
  })

  it('takes the prices of the provider as they are', () => {
    const sonnet = USUAL_MODELS['claude-sonnet-4-5']!.price
    const real = conversationFrom({ ...growing, price: sonnet, dearestInput: sonnet.cacheWrite })
    expect(possibleSpend(1_000_000_000, real, null)!.toolCalls).toBeGreaterThan(20)
  })
})
