import { describe, expect, it } from 'vitest'
import { pdfOf, wavOf } from '../../../pricing/estimate/media/media-files.fixture.ts'
import { governedModel } from './governed-model.ts'
import type { CallOptions, ProviderOptions } from './language-model.ts'
import { ASK, answering, FINISH, modelOf, openScope, readAll } from './model.fixture.ts'

const CLAUDE = { provider: 'anthropic.messages', modelId: 'claude-opus-4-6' }
const GEMINI = { provider: 'google.generative-ai', modelId: 'gemini-2.5-flash' }
const LONG = { type: 'text', text: 'word '.repeat(20_000) }

/** What is reserved for a request, as a multiple of the same request without the added content. */
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

  it('is that of audio for its duration, and that of text for the rest, even in a tool result', async () => {
    const wav = wavOf(3_600, { rate: 100 })
    const file = (mediaType: string, data: Uint8Array) => ({ type: 'file', mediaType, data })
    const heard = resultOf({ type: 'content', value: [{ type: 'media', mediaType: 'audio/wav', data: wav }] })
    const onceMore = 115_200 / 26_000
    for (const sound of [file('audio/wav', wav), heard]) {
      // An hour is 115,200 tokens, each at more than three times the price of the text.
      const times = await timesAsDear(GEMINI, [sound])
      expect(times).toBeGreaterThan(1 + 3 * onceMore)
      expect(times).toBeLessThan(1 + 3.5 * onceMore)
    }
    expect(await timesAsDear(GEMINI, [file('image/png', wav)])).toBeLessThan(1.2)
    expect(await timesAsDear(GEMINI, [resultOf({ type: 'json', value: [1, null] })])).toBe(1)
  })

  it('D3: includes every page of a document, however small the file', async () => {
    const pdf = (pages: number) => ({
      type: 'file',
      mediaType: 'application/pdf',
      data: Buffer.from(pdfOf({ pages }), 'latin1'),
    })
    const once = await timesAsDear(CLAUDE, [pdf(1)])
    const long = pdf(100)
    expect(long.data.length).toBeLessThan(15_000)
    expect((await timesAsDear(CLAUDE, [long])) - 1).toBeGreaterThan(90 * (once - 1))
    const hidden = { ...long, data: Buffer.from(pdfOf({ pages: 1, more: '<< /Encrypt 1 0 R >>' }), 'latin1') }
    expect(await timesAsDear(CLAUDE, [hidden])).toBe(
      await timesAsDear(CLAUDE, [{ ...long, data: new URL('https://a.b/c') }]),
    )
  })

  it('is multiplied by the factor of its options', async () => {
    const times = (providerOptions: ProviderOptions) => timesAsDear(CLAUDE, [], { providerOptions })
    expect(await times({ anthropic: { speed: 'fast' } })).toBe(6)
    expect(await times({ anthropic: { speed: 'fast', inferenceGeo: 'us' } })).toBe(6.6)
    expect(await times({ openai: { serviceTier: 'priority' } })).toBe(2.5)
    expect(await times({ anthropic: { speed: 'standard' }, openai: { serviceTier: 'flex' } })).toBe(1)
  })

  it('is that of a cache write, wherever in a tool result the mark is', async () => {
    const marked = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } } }
    for (const output of [
      { type: 'text', value: 'x', ...marked },
      { type: 'content', value: [{ type: 'text', text: 'x', ...marked }] },
    ]) {
      expect(await timesAsDear(CLAUDE, [resultOf(output)])).toBe(2)
    }
  })

  it('D4: is that of a more expensive model or tier if the answer names one, whole or streamed', async () => {
    const chargedFor = async (served: { modelId?: string; providerMetadata?: object }, isStream: boolean) => {
      const { scope } = await openScope({ limits: { cost: 1 } })
      const { modelId, providerMetadata } = served
      const metadata = { type: 'response-metadata' as const, ...(modelId === undefined ? {} : { modelId }) }
      const finish = { ...FINISH, ...(providerMetadata === undefined ? {} : { providerMetadata }) }
      const source = new ReadableStream({
        start(controller) {
          for (const part of [metadata, finish]) controller.enqueue(part)
          controller.close()
        },
      })
      const { model } = modelOf({
        doGenerate: async () =>
          ({
            ...(await answering().model.doGenerate(ASK)),
            ...(modelId === undefined ? {} : { response: { modelId } }),
            ...(providerMetadata === undefined ? {} : { providerMetadata }),
          }) as never,
        doStream: async () => ({ stream: source as never }),
      })
      const governed = governedModel(scope, { ...model, provider: 'openai.chat', modelId: 'gpt-4.1' })
      if (isStream) await readAll((await governed.doStream(ASK)).stream)
      else await governed.doGenerate(ASK)
      return (await scope.usage()).cost.settled
    }
    for (const isStream of [false, true]) {
      expect(await chargedFor({}, isStream)).toBe(10 * 2_000 + 5 * 8_000)
      expect(await chargedFor({ modelId: 'gpt-4.1-2025-04-14' }, isStream)).toBe(10 * 2_000 + 5 * 8_000)
      expect(await chargedFor({ modelId: 'gpt-5-pro' }, isStream)).toBe(10 * 15_000 + 5 * 120_000)
      const priority = { providerMetadata: { openai: { serviceTier: 'priority' } } }
      expect(await chargedFor(priority, isStream)).toBe(10 * 3_500 + 5 * 14_000)
    }
  })

  it('D3: includes input that is not visible as text: the prompt for tools, and provider-defined tools', async () => {
    const reserved = async (tools: CallOptions['tools']) => {
      const { scope } = await openScope({ limits: { tokens: 100_000 } })
      let tokens = 0
      const { model } = modelOf({
        async doGenerate() {
          tokens = (await scope.usage()).tokens.reserved
          return answering().model.doGenerate(ASK)
        },
      })
      await governedModel(scope, { ...model, ...CLAUDE }).doGenerate({
        ...ASK,
        ...(tools === undefined ? {} : { tools }),
        maxOutputTokens: 1,
      })
      return tokens
    }
    const defined = (name: string) => ({ type: 'provider' as const, id: `anthropic.${name}` as const, name, args: {} })
    const tools = [defined('computer_20250124'), defined('text_editor_20250728'), defined('bash_20250124')]
    expect((await reserved(tools)) - (await reserved(undefined))).toBeGreaterThan(346 + 735 + 499 + 700 + 245)
  })
})
