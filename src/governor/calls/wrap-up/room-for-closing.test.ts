import { describe, expect, it } from 'vitest'
import { fillCall } from '../../../pricing/call/model-call.ts'
import { readAgain, TOKENS_OF_RESULT } from '../../../pricing/index.ts'
import { beginConversation, likelyAdded, noteAnswer } from './conversation.ts'
import { roomForClosing } from './room-for-closing.ts'

const SPEC = { model: 'm', inputTokens: 20_000, maxOutputTokens: 1_000 }
const ANSWER = {
  outputTokens: 300,
  cap: 1_000,
  askedCap: 1_000,
  cacheReadTokens: 0,
  reasoningTokens: 0,
  thinkingBudget: null,
  atMs: 0,
}

describe('the hold for the closing call', () => {
  it('includes the results of a search, but not the reread prompt', () => {
    const again = readAgain(SPEC.inputTokens, 1)
    const providerReading = { tokens: again, resultTokens: TOKENS_OF_RESULT }
    const searching = { ...SPEC, inputTokens: SPEC.inputTokens + again, webSearches: 1, providerReading }
    const held = (spec: typeof SPEC) =>
      roomForClosing(beginConversation(), spec, fillCall(spec, null), 0).hold.smallest.tokens!
    expect(held(searching)).toBe(held(SPEC) + TOKENS_OF_RESULT)
  })

  it('grows by what tool results have added so far, and by what this prompt adds', () => {
    const conversation = beginConversation()
    noteAnswer(conversation, { ...ANSWER, promptTokens: 1_000 })
    // 700 more than the prompt and its answer, because the estimate was too high.
    expect(likelyAdded(conversation, 2_000)).toBe(700)
    noteAnswer(conversation, { ...ANSWER, promptTokens: 1_500 })
    expect(conversation.addedTokens).toBe(200)
    expect(likelyAdded(conversation, 1_810)).toBe(200)
  })
})
