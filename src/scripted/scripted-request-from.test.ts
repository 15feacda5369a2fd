import { describe, expect, it } from 'vitest'
import { scriptedRequestFrom } from './scripted-request-from.ts'

describe('a request of the AI SDK to the scripted model', () => {
  const withThinking = (thinking: Record<string, string | number>) => {
    const { maxOutputTokens, thinking: budget } = scriptedRequestFrom({
      prompt: [],
      maxOutputTokens: 500,
      providerOptions: { anthropic: { thinking } },
    })
    return { maxOutputTokens, budget: budget?.budgetTokens }
  }

  it('has its thinking budget in addition to its output cap, as Anthropic’s provider sends it', () => {
    expect(withThinking({ type: 'enabled', budgetTokens: 2_000 })).toEqual({ maxOutputTokens: 2_500, budget: 2_000 })
    expect(withThinking({ type: 'enabled' })).toEqual({ maxOutputTokens: 1_524, budget: 1_024 })
    expect(withThinking({ type: 'adaptive' })).toEqual({ maxOutputTokens: 500, budget: undefined })
  })
})
