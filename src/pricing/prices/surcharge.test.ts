import { describe, expect, it } from 'vitest'
import { anthropicSurcharge, openAiSurcharge } from './surcharge.ts'

const times = (factor: { numerator: number; denominator: number } | null): number =>
  factor === null ? 1 : factor.numerator / factor.denominator

describe('a surcharge', () => {
  it('combines mode and region at Anthropic', () => {
    expect(times(anthropicSurcharge('claude-opus-4-8', { speed: 'fast' }))).toBe(2)
    expect(times(anthropicSurcharge('claude-opus-4-6', { speed: 'fast', inferenceGeo: 'us' }))).toBe(6.6)
    expect(times(anthropicSurcharge('claude-opus-4-6', { speed: 'standard', inferenceGeo: 'global' }))).toBe(1)
  })

  it('depends on tier and model at OpenAI, whichever provider resells it', () => {
    expect(times(openAiSurcharge('gpt-5-mini', 'priority'))).toBe(1.8)
    expect(times(openAiSurcharge('openai/gpt-4.1', 'priority'))).toBe(1.75)
    expect(times(openAiSurcharge('gpt-5', 'flex'))).toBe(1)
  })

  it('is the highest one if the mode, tier or model is unknown', () => {
    expect(times(anthropicSurcharge('claude-next', { speed: 'warp' }))).toBe(6)
    expect(times(openAiSurcharge('some-model', 'priority'))).toBe(2.5)
    expect(times(openAiSurcharge('some-model', 'hyperdrive'))).toBe(2.5)
    expect(times(openAiSurcharge('gpt-5', 'ultrafast'))).toBe(6)
  })
})
