import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { worstCase } from '../../call/worst-case.ts'
import type { ModelPrice } from '../../prices/model-price.ts'
import { scalePrice } from '../../prices/model-price.ts'
import { DEFAULT_PRICE_BOOK } from '../../prices/price-book.ts'
import { costOf } from '../../usage/cost-of.ts'
import { completeUsage, type Usage } from '../../usage/usage.ts'
import { usageFromAiSdk, usageFromGemini, usageFromOpenAiChat } from '../../usage/usage-from.ts'
import { estimateInput } from '../estimate-input.ts'
import { mediaCounts } from './media-quantities.ts'

const AT = new Date('2026-11-15T00:00:00Z')
const priceOf = (model: string): ModelPrice => DEFAULT_PRICE_BOOK.find(model, { at: AT, hasMedia: true })!
const NANO_PER_USD_PER_MILLION = 1_000
/** Tokens at this price in USD per million. */
const at = (tokens: number, usd: number) => Math.ceil(tokens * usd * NANO_PER_USD_PER_MILLION)

describe('the price of audio, images and video', () => {
  it.each([
    ['gpt-audio', 2.5, 32, 10, 64],
    ['gpt-audio-mini', 0.6, 10, 2.4, 20],
    ['gpt-realtime', 4, 32, 16, 64],
    ['gemini-2.5-flash', 0.3, 1, 2.5, 2.5],
  ])('%s: each kind is charged at its own price if the answer reports kinds', (model, text, audio, write, speak) => {
    const usage = completeUsage({
      inputTokens: 12_000,
      audioInputTokens: 11_000,
      outputTokens: 500,
      audioOutputTokens: 300,
    })
    expect(costOf(priceOf(model), usage)).toBe(at(1_000, text) + at(11_000, audio) + at(200, write) + at(300, speak))
  })

  it('gpt-image-1: images and text at their list prices', () => {
    const usage = completeUsage({
      inputTokens: 3_000,
      imageInputTokens: 2_000,
      cacheReadTokens: 500,
      imageCacheReadTokens: 500,
    })
    expect(costOf(priceOf('gpt-image-1'), usage)).toBe(at(1_000, 5) + at(2_000, 10) + at(500, 2.5))
  })

  it('tokens of unreported kind count as media as far as the request allows, from the most expensive class down', () => {
    const price = priceOf('gpt-audio')
    const usage = completeUsage({ inputTokens: 12_000 })
    expect(costOf(price, usage, { media: { audio: 500 } })).toBe(at(500, 32) + at(11_500, 2.5))
    expect(costOf(price, usage, { media: { audio: 50_000 } })).toBe(at(12_000, 32))
    expect(costOf(price, usage, { media: { image: 5_000 } })).toBe(at(12_000, 2.5))
    expect(costOf(price, usage, { media: { other: 5_000 } })).toBe(at(5_000, 32) + at(7_000, 2.5))
    expect(costOf(price, usage)).toBe(at(12_000, 32))
    expect(costOf(DEFAULT_PRICE_BOOK.find('gpt-audio', { at: AT })!, usage)).toBe(at(12_000, 2.5))
  })

  it('a worst case reserves text as text, and each medium as its kind', () => {
    const call = { model: 'gpt-audio', at: AT, inputTokens: 20_000, maxOutputTokens: 0, hasMedia: true }
    expect(worstCase({ ...call, media: { audio: 1_000 } }).cost).toBe(at(1_000, 32) + at(19_000, 2.5))
    expect(worstCase({ ...call, media: { audio: 90_000 } }).cost).toBe(at(20_000, 32))
    expect(worstCase({ ...call, media: { other: 1_000 } }).cost).toBe(at(1_000, 32) + at(19_000, 2.5))
    expect(worstCase(call).cost).toBe(at(20_000, 32))
    expect(worstCase({ ...call, hasMedia: false }).cost).toBe(at(20_000, 2.5))
  })

  it('a worst case refuses invalid kinds and counts', () => {
    const call = { model: 'gpt-audio', at: AT, inputTokens: 1, maxOutputTokens: 1 }
    expect(() => worstCase({ ...call, media: { audio: -1 } })).toThrow('media.audio is -1')
    expect(() => worstCase({ ...call, media: { sound: 1 } as object })).toThrow('"audio", "image", "video" or "other"')
  })

  it('a factor multiplies every kind', () => {
    const usage = completeUsage({ inputTokens: 2_000, audioInputTokens: 1_000, outputTokens: 10, audioOutputTokens: 5 })
    const twice = scalePrice(priceOf('gpt-audio'), { numerator: 2, denominator: 1 })
    expect(costOf(twice, usage)).toBe(2 * costOf(priceOf('gpt-audio'), usage))
  })

  const share = fc.double({ min: 0, max: 1, noNaN: true })
  it('D1: no usage within the bounds of a call costs more than its worst case, whatever part of it is media', () => {
    const models = ['gpt-audio', 'gpt-realtime', 'gemini-2.5-flash', 'gpt-image-1', 'gemini-3.1-flash-live-preview']
    const counts = fc.record({
      audio: fc.nat(50_000),
      image: fc.nat(50_000),
      video: fc.nat(50_000),
      other: fc.nat(50_000),
    })
    const arbitrary = [
      fc.constantFrom(...models),
      fc.nat(200_000),
      fc.nat(4_000),
      counts,
      fc.array(share, { minLength: 9, maxLength: 9 }),
      fc.boolean(),
    ] as const
    fc.assert(
      fc.property(...arbitrary, (model, inputTokens, maxOutputTokens, media, shares, tells) => {
        const call = { model, at: AT, hasMedia: true, media, inputTokens, maxOutputTokens }
        let next = 0
        const part = (most: number) => Math.floor(most * shares[next++]!)
        const read = part(inputTokens)
        const cacheReadTokens = part(read)
        const outputTokens = part(maxOutputTokens)
        const plain = read - cacheReadTokens
        const told = () => {
          const audioInputTokens = Math.min(plain, part(media.audio))
          const imageInputTokens = Math.min(plain - audioInputTokens, part(media.image))
          const audioCacheReadTokens = Math.min(cacheReadTokens, media.audio - audioInputTokens)
          return {
            audioInputTokens,
            imageInputTokens,
            videoInputTokens: 0,
            audioCacheReadTokens,
            audioOutputTokens: part(outputTokens),
          }
        }
        const usage: Usage = completeUsage({
          inputTokens: plain,
          cacheReadTokens,
          outputTokens,
          ...(tells ? told() : {}),
        })
        expect(costOf(priceOf(model), usage, { media })).toBeLessThanOrEqual(worstCase(call).cost!)
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('usage that reports kinds', () => {
  it('OpenAI: audio of the whole prompt, of which as little as possible was cached', () => {
    const usage = {
      prompt_tokens: 1_000,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 300, audio_tokens: 800 },
      completion_tokens_details: { audio_tokens: 20 },
    }
    expect(usageFromOpenAiChat(usage).usage).toMatchObject({
      inputTokens: 700,
      audioInputTokens: 700,
      cacheReadTokens: 300,
      audioCacheReadTokens: 100,
      audioOutputTokens: 20,
    })
  })

  it('Gemini: one entry for each kind, and 0 for a kind that is not named', () => {
    const usage = {
      promptTokenCount: 1_000,
      cachedContentTokenCount: 400,
      candidatesTokenCount: 9,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 300 },
        { modality: 'AUDIO', tokenCount: 600 },
        { modality: 'IMAGE', tokenCount: 100 },
      ],
      cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 400 }],
    }
    const read = { audioInputTokens: 200, audioCacheReadTokens: 400, imageInputTokens: 100, videoInputTokens: 0 }
    expect(usageFromGemini(usage).usage).toMatchObject(read)
    const nested = { inputTokens: { total: 1_000, cacheRead: 400 }, outputTokens: { total: 9 }, raw: usage }
    expect(usageFromAiSdk(nested).usage).toMatchObject(read)
  })

  it('is rejected if a kind exceeds its whole', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { audio_tokens: 11 } }
    expect(usageFromOpenAiChat(usage)).toEqual({
      usage: null,
      anomalies: [{ kind: 'inconsistent', field: 'prompt_tokens_details.audio_tokens', value: 11 }],
    })
    const malformed = { prompt_tokens: 10, completion_tokens: 5, completion_tokens_details: { audio_tokens: '3' } }
    expect(usageFromOpenAiChat(malformed)).toMatchObject({ usage: null, anomalies: [{ kind: 'malformed' }] })
  })

  it('reports no kinds if the source does not', () => {
    const { usage } = usageFromOpenAiChat({ prompt_tokens: 10, completion_tokens: 5 })
    expect(usage).not.toHaveProperty('audioInputTokens')
  })
})

describe('the tokens that media takes', () => {
  const nothing = { images: 0, documentPages: 0, documentBytes: 0, audioSeconds: 0, videoSeconds: 0, unknown: [] }

  it('a second of audio at the provider’s published figure, or the highest one', () => {
    const sound = { ...nothing, audioSeconds: 60 }
    expect(mediaCounts(sound, 'gpt-audio').audio).toBe(600)
    expect(mediaCounts(sound, 'gemini-2.5-flash').audio).toBe(1_920)
    expect(mediaCounts(sound, 'some-voice').audio).toBe(1_920)
    expect(mediaCounts({ ...nothing, videoSeconds: 10 }, 'gemini-2.5-flash').video).toBe(3_000)
  })

  it('is the context window if the size is unknown, and never more than that', () => {
    expect(mediaCounts({ ...nothing, unknown: ['audio'] }, 'gpt-audio')).toMatchObject({ audio: 128_000, image: 0 })
    const prompt = (documentPages: number, model: string) => estimateInput({ addedText: 'hi', documentPages, model })
    expect(prompt(2, 'claude-opus-4-1')).toBeLessThan(16_000)
    expect(prompt(100, 'claude-opus-4-1')).toBe(200_000)
    expect(prompt(1_000, 'gemini-2.5-flash')).toBe(1_048_576)
    // Its window is longer on request, as its prices show.
    expect(prompt(1_000, 'claude-sonnet-4-5')).toBe(1_000_000)
  })
})
