import { describe, expect, it } from 'vitest'
import { governedModel } from './governed-model.ts'
import type { CallOptions, ProviderOptions } from './language-model.ts'
import { ASK, answering, modelOf, openScope } from './model.fixture.ts'

const CLAUDE = { provider: 'anthropic.messages', modelId: 'claude-opus-4-6' }
const GEMINI = { provider: 'google.generative-ai', modelId: 'gemini-2.5-flash' }
const LONG = { type: 'text', text: 'word '.repeat(20_000) }

/** What is reserved for a request, as a multiple of what it is without what is added to it. */
async function timesAsDear(names: typeof CLAUDE, content: readonly object[], options: Partial<CallOptions> = {}) {
  const reserved = async (parts: readonly object[], more: Partial<CallOptions>): Promise<number> => {
    const { scope } = await openScope({ limits: { cost: 100 } })
    let cost = 0
    const { model } = modelOf({
      async doGenerate() {
        cost = (await scope.usage()).cost.reserved
        return answering().model.doGenerate(ASK)
      },
    })
    const prompt = [{ role: 'user' as const, content: [LONG, ...parts] as never }]
    await governedModel(scope, { ...model, ...names }).doGenerate({ prompt, maxOutputTokens: 1, ...more })
    return cost
  }
  return Math.round(((await reserved(content, options)) / (await reserved([], {}))) * 10) / 10
}

describe('the price of a request', () => {
  const resultOf = (output: object) => ({ type: 'tool-result', toolCallId: '1', toolName: 'see', output })

  it('is that of sound and pictures where it has some, in a tool result too', async () => {
    const file = (mediaType: string) => ({ type: 'file', mediaType, data: new Uint8Array(3) })
    const shown = resultOf({ type: 'content', value: [{ type: 'media', mediaType: 'image/png', data: 'AAAA' }] })
    for (const media of [file('image/png'), file('audio/wav'), file('video/mp4'), shown]) {
      expect(await timesAsDear(GEMINI, [media])).toBeGreaterThan(3)
    }
    for (const none of [file('application/pdf'), file('text/plain'), resultOf({ type: 'json', value: [1, null] })]) {
      expect(await timesAsDear(GEMINI, [none])).toBeLessThan(2)
    }
  })

  it('is multiplied by what its options ask for', async () => {
    const times = (providerOptions: ProviderOptions) => timesAsDear(CLAUDE, [], { providerOptions })
    expect(await times({ anthropic: { speed: 'fast' } })).toBe(6)
    expect(await times({ anthropic: { speed: 'fast', inferenceGeo: 'us' } })).toBe(6.6)
    expect(await times({ openai: { serviceTier: 'priority' } })).toBe(2.5)
    expect(await times({ anthropic: { speed: 'standard' }, openai: { serviceTier: 'flex' } })).toBe(1)
  })

  it('is that of a cache write, wherever in a tool result the mark stands', async () => {
    const marked = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } } }
    for (const output of [
      { type: 'text', value: 'x', ...marked },
      { type: 'content', value: [{ type: 'text', text: 'x', ...marked }] },
    ]) {
      expect(await timesAsDear(CLAUDE, [resultOf(output)])).toBe(2)
    }
  })
})
