import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { promptTokens } from './usage.ts'
import {
  usageFromAiSdk,
  usageFromAnthropic,
  usageFromCodex,
  usageFromGemini,
  usageFromLangChain,
  usageFromOpenAiAgents,
  usageFromOpenAiChat,
  usageFromOpenAiResponses,
  usageFromOpenCode,
  usageFromPi,
} from './usage-from.ts'
import type { UsageReading } from './usage-reading.ts'

const sources = {
  usageFromAnthropic,
  usageFromOpenAiChat,
  usageFromOpenAiResponses,
  usageFromGemini,
  usageFromAiSdk,
  usageFromOpenAiAgents,
  usageFromLangChain,
  usageFromPi,
  usageFromOpenCode,
  usageFromCodex,
}

type SourceName = keyof typeof sources

// The same call as each source reports it: 1,000 prompt tokens read from a cache, 200 written to one if the source
// reports that, 300 plain; 50 tokens of reasoning and 150 of answer.
const SAME_CALL: readonly (readonly [source: SourceName, raw: unknown, writes: number, reasoning: number])[] = [
  [
    'usageFromAnthropic',
    { input_tokens: 300, output_tokens: 200, cache_read_input_tokens: 1_000, cache_creation_input_tokens: 200 },
    200,
    0,
  ],
  [
    'usageFromOpenAiChat',
    {
      prompt_tokens: 1_500,
      completion_tokens: 200,
      prompt_tokens_details: { cached_tokens: 1_000, cache_write_tokens: 200 },
      completion_tokens_details: { reasoning_tokens: 50 },
    },
    200,
    50,
  ],
  [
    'usageFromOpenAiChat',
    {
      prompt_tokens: 1_500,
      completion_tokens: 200,
      prompt_cache_hit_tokens: 1_000,
      prompt_cache_miss_tokens: 500,
      completion_tokens_details: { reasoning_tokens: 50 },
    },
    0,
    50,
  ],
  [
    'usageFromOpenAiResponses',
    {
      input_tokens: 1_500,
      output_tokens: 200,
      input_tokens_details: { cached_tokens: 1_000, cache_write_tokens: 200 },
      output_tokens_details: { reasoning_tokens: 50 },
    },
    200,
    50,
  ],
  [
    'usageFromGemini',
    { promptTokenCount: 1_500, candidatesTokenCount: 150, thoughtsTokenCount: 50, cachedContentTokenCount: 1_000 },
    0,
    50,
  ],
  [
    'usageFromAiSdk',
    {
      inputTokens: { total: 1_500, noCache: 300, cacheRead: 1_000, cacheWrite: 200 },
      outputTokens: { total: 200, text: 150, reasoning: 50 },
    },
    200,
    50,
  ],
  [
    'usageFromAiSdk',
    { inputTokens: 1_500, outputTokens: 200, totalTokens: 1_700, cachedInputTokens: 1_000, reasoningTokens: 50 },
    0,
    50,
  ],
  [
    'usageFromAiSdk',
    {
      inputTokens: 1_500,
      outputTokens: 200,
      inputTokenDetails: { noCacheTokens: 300, cacheReadTokens: 1_000, cacheWriteTokens: 200 },
      outputTokenDetails: { textTokens: 150, reasoningTokens: 50 },
    },
    200,
    50,
  ],
  [
    'usageFromOpenAiAgents',
    {
      requests: 2,
      inputTokens: 1_500,
      outputTokens: 200,
      inputTokensDetails: [{ cached_tokens: 600 }, { cached_tokens: 400 }],
      outputTokensDetails: [{ reasoning_tokens: 20 }, { reasoning_tokens: 30 }],
    },
    0,
    50,
  ],
  [
    'usageFromLangChain',
    {
      input_tokens: 1_500,
      output_tokens: 200,
      input_token_details: { cache_read: 1_000, cache_creation: 200 },
      output_token_details: { reasoning: 50 },
    },
    200,
    50,
  ],
  ['usageFromPi', { input: 300, output: 200, cacheRead: 1_000, cacheWrite: 200 }, 200, 0],
  ['usageFromOpenCode', { input: 300, output: 150, reasoning: 50, cache: { read: 1_000, write: 200 } }, 200, 50],
  [
    'usageFromCodex',
    { input_tokens: 1_500, cached_input_tokens: 1_000, output_tokens: 200, reasoning_output_tokens: 50 },
    0,
    50,
  ],
]

describe('usage of every source', () => {
  it.each(SAME_CALL)('%s gives the same call the same form (%#)', (source, raw, writes, reasoning) => {
    expect(sources[source](raw)).toEqual({
      usage: {
        inputTokens: 500 - writes,
        outputTokens: 200,
        cacheReadTokens: 1_000,
        cacheWriteTokens: writes,
        cacheWrite1hTokens: 0,
        reasoningTokens: reasoning,
      },
      anomalies: [],
    })
  })

  it("counts Anthropic's two lifetimes separately, each token once", () => {
    const raw = {
      input_tokens: 10,
      output_tokens: 5,
      cache_creation_input_tokens: 300,
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
    }
    expect(sources.usageFromAnthropic(raw).usage).toMatchObject({ cacheWriteTokens: 100, cacheWrite1hTokens: 200 })
  })

  it('gives writes without a lifetime the one that the request asked for', () => {
    const raw = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 300 }
    expect(sources.usageFromAnthropic(raw, { cacheMark: '1h' }).usage).toMatchObject({
      cacheWriteTokens: 0,
      cacheWrite1hTokens: 300,
    })
    expect(sources.usageFromAnthropic(raw, { cacheMark: '5m' }).usage).toMatchObject({
      cacheWriteTokens: 300,
      cacheWrite1hTokens: 0,
    })
  })

  it.each([
    ['with both lifetimes at 0', { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 }, [0, 300]],
    ['with one lifetime told', { ephemeral_5m_input_tokens: 100 }, [100, 200]],
    ['with a part of both told', { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 50 }, [100, 200]],
    ['with no lifetimes', {}, [0, 300]],
  ])('gives the remaining writes the requested lifetime, %s', (_, lifetimes, writes) => {
    const raw = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 300, cache_creation: lifetimes }
    const { usage } = sources.usageFromAnthropic(raw, { cacheMark: '1h' })
    expect([usage?.cacheWriteTokens, usage?.cacheWrite1hTokens]).toEqual(writes)
  })

  it.each(['1H', 'ephemeral', '60m', null])('treats the cache mark %j as an anomaly, not as a short one', (mark) => {
    const raw = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 300 }
    expect(sources.usageFromAnthropic(raw, { cacheMark: mark as never })).toEqual({
      usage: null,
      anomalies: [{ kind: 'malformed', field: 'cacheMark', value: mark }],
    })
  })

  it.each([
    ['more than the answer', 9, 94],
    ['less than the answer', 500, 400],
  ])('adds reasoning of %s to the completion if only the total shows it, as at xAI', (_, completion, reasoning) => {
    const reading = sources.usageFromOpenAiChat({
      prompt_tokens: 32,
      completion_tokens: completion,
      total_tokens: 32 + completion + reasoning,
      prompt_tokens_details: { cached_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: reasoning },
    })
    expect(reading).toMatchObject({
      usage: {
        inputTokens: 2,
        cacheReadTokens: 30,
        outputTokens: completion + reasoning,
        reasoningTokens: reasoning,
      },
      anomalies: [],
    })
  })

  it('counts reasoning as part of the answer if the total says so or is smaller than its parts', () => {
    for (const total_tokens of [532, 0, 400, undefined, null]) {
      const raw = { prompt_tokens: 32, completion_tokens: 500, completion_tokens_details: { reasoning_tokens: 400 } }
      expect(sources.usageFromOpenAiChat({ ...raw, total_tokens }).usage?.outputTokens, `${total_tokens}`).toBe(500)
    }
  })

  // The same call adds up to 1,700 for every source.
  it.each([
    ['usageFromOpenAiChat', 'total_tokens'],
    ['usageFromOpenAiResponses', 'total_tokens'],
    ['usageFromGemini', 'totalTokenCount'],
    ['usageFromOpenAiAgents', 'totalTokens'],
    ['usageFromLangChain', 'total_tokens'],
    ['usageFromPi', 'totalTokens'],
    ['usageFromCodex', 'total_tokens'],
  ] as const)('I4: %s checks its counts against %s', (source, field) => {
    const [, raw] = SAME_CALL.find(([name]) => name === source)!
    const read = (total: unknown) => sources[source]({ ...(raw as object), [field]: total })
    expect(read(1_700)).toEqual(sources[source](raw))
    expect(read(1_701)).toEqual({ usage: null, anomalies: [{ kind: 'inconsistent', field, value: 1_701 }] })
    expect(read('1700')).toMatchObject({ usage: null, anomalies: [{ kind: 'malformed', field }] })
  })

  it('I4: usageFromAiSdk checks flat counts against totalTokens', () => {
    const raw = { inputTokens: 1_500, outputTokens: 150, reasoningTokens: 50 }
    expect(sources.usageFromAiSdk({ ...raw, totalTokens: 1_700 }).usage?.outputTokens).toBe(200)
    expect(sources.usageFromAiSdk({ ...raw, totalTokens: 1_690 }).usage).toBeNull()
  })

  it('I4: a Gemini stream cut off before its candidates were counted has unknown usage, not none', () => {
    expect(sources.usageFromGemini({ promptTokenCount: 100, totalTokenCount: 5_000 })).toEqual({
      usage: null,
      anomalies: [{ kind: 'inconsistent', field: 'totalTokenCount', value: 5_000 }],
    })
    const whole = { promptTokenCount: 100, toolUsePromptTokenCount: 20, thoughtsTokenCount: 7, totalTokenCount: 127 }
    expect(sources.usageFromGemini(whole).usage).toMatchObject({ inputTokens: 120, outputTokens: 7 })
  })

  it('reads an answer of nothing but thoughts, for which Gemini leaves out the candidates', () => {
    expect(sources.usageFromGemini({ promptTokenCount: 10, thoughtsTokenCount: 7 }).usage).toMatchObject({
      outputTokens: 7,
      reasoningTokens: 7,
    })
  })

  it('I4: missing usage is unknown, but not an anomaly', () => {
    for (const read of Object.values(sources)) {
      for (const nothing of [undefined, null]) expect(read(nothing)).toEqual({ usage: null, anomalies: [] })
    }
  })

  const broken = (patch: Record<string, unknown>): UsageReading =>
    sources.usageFromOpenAiChat({ prompt_tokens: 100, completion_tokens: 10, ...patch })

  it.each([
    [{ prompt_tokens: -1 }, 'malformed', 'prompt_tokens', -1],
    [{ prompt_tokens: Number.NaN }, 'malformed', 'prompt_tokens', Number.NaN],
    [{ prompt_tokens: '100' }, 'malformed', 'prompt_tokens', '100'],
    [{ prompt_tokens: 1.5 }, 'malformed', 'prompt_tokens', 1.5],
    [{ prompt_tokens: 2 ** 53 }, 'malformed', 'prompt_tokens', 2 ** 53],
    [{ prompt_tokens: 10n }, 'malformed', 'prompt_tokens', 10n],
    [{ prompt_tokens: true }, 'malformed', 'prompt_tokens', true],
    [{ prompt_tokens: undefined }, 'missing', 'prompt_tokens', undefined],
    [{ completion_tokens: null }, 'missing', 'completion_tokens', undefined],
    [{ prompt_tokens_details: { cached_tokens: 101 } }, 'inconsistent', 'prompt_tokens', 100],
    [{ prompt_tokens_details: { cached_tokens: -5 } }, 'malformed', 'prompt_tokens_details.cached_tokens', -5],
    [{ prompt_tokens_details: 7 }, 'malformed', 'prompt_tokens_details.cached_tokens', { found: 7 }],
    [
      { completion_tokens_details: { reasoning_tokens: 11 } },
      'inconsistent',
      'completion_tokens_details.reasoning_tokens',
      11,
    ],
    [
      { prompt_tokens: Number.MAX_SAFE_INTEGER, completion_tokens: 10 },
      'malformed',
      'prompt_tokens',
      Number.MAX_SAFE_INTEGER,
    ],
  ])(
    'I4: impossible usage is unknown, with an anomaly that names the field and the value (%#)',
    (patch, kind, field, value) => {
      const reading = broken(patch)
      expect(reading.usage).toBeNull()
      expect(reading.anomalies[0]).toEqual({ kind, field, value })
    },
  )

  it('rejects lifetimes that exceed all writes together', () => {
    const raw = {
      input_tokens: 1,
      output_tokens: 1,
      cache_creation_input_tokens: 5,
      cache_creation: { ephemeral_1h_input_tokens: 6 },
    }
    expect(sources.usageFromAnthropic(raw)).toMatchObject({ usage: null, anomalies: [{ kind: 'inconsistent' }] })
  })

  it('ignores inherited fields', () => {
    const raw = Object.create({ prompt_tokens: 100, completion_tokens: 10 })
    expect(sources.usageFromOpenAiChat(raw).usage).toBeNull()
    expect(
      sources.usageFromOpenAiChat(JSON.parse('{"__proto__":{"prompt_tokens":1,"completion_tokens":1}}')).usage,
    ).toBeNull()
  })

  it('never throws, and returns only whole, consistent usage, whatever the source sends', () => {
    const names = Object.keys(sources) as SourceName[]
    const shapes = SAME_CALL.map(([, raw]) => raw as Record<string, unknown>)
    const junk = fc.oneof(
      fc.nat(),
      fc.integer(),
      fc.double(),
      fc.string(),
      fc.constant(null),
      fc.bigInt(),
      fc.anything(),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.constantFrom(...shapes),
        fc.array(junk, { minLength: 8, maxLength: 8 }),
        (name, shape, values) => {
          let next = 0
          const raw = Object.fromEntries(Object.keys(shape).map((key) => [key, values[next++ % values.length]]))
          for (const candidate of [raw, { ...shape, ...raw }, values[0]]) {
            const { usage } = sources[name](candidate)
            if (usage === null) continue
            for (const count of Object.values(usage)) expect(Number.isSafeInteger(count) && count >= 0).toBe(true)
            expect(Number.isSafeInteger(promptTokens(usage) + usage.outputTokens)).toBe(true)
            expect(usage.reasoningTokens).toBeLessThanOrEqual(usage.outputTokens)
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
