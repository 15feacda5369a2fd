import { jsonSchema, type LanguageModel, streamText, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { isLimitExceeded } from '../../core/index.ts'
import { createGovernor } from '../../governor/index.ts'
import { type CountTurn, type ProviderScript, sayOnce } from '../../testing/provider/index.ts'
import { governedModels } from './governed-models.ts'
import type { ModelSource } from './model-source.ts'
import { sourceOf, startProvider } from './models.fixture.ts'
import { resolveModels } from './resolve-models.ts'

// 40 kB of prose: 8,000 tokens to the provider, and more than 10,000 by any careful estimate.
const TEXT = 'Plain words that say next to nothing of any use. '.repeat(820)
const FITS = 11_500
const TOOLS = { look: tool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => 'text' }) }

async function stage(counts?: CountTurn, script: ProviderScript = () => ({ text: 'Done.' })) {
  const provider = await startProvider({
    script,
    bytesPerToken: 5,
    ...(counts === undefined ? {} : { counts: () => counts }),
  })
  const source = sourceOf({ env: { ANTHROPIC_API_KEY: 'sk-a', ANTHROPIC_BASE_URL: provider.url } })
  return { provider, source }
}

/** One request of a run. */
async function ask(source: ModelSource, tokens = FITS, fallbacks: readonly string[] = []) {
  const { models } = await resolveModels(source, 'anthropic/claude-haiku-5-5', fallbacks)
  const scope = await createGovernor().open({ name: 'run', limits: { tokens } })
  const model = governedModels(scope, models, { thinking: 'low', retries: 0 }) as LanguageModel
  let error: unknown = null
  const { text } = streamText({
    model,
    tools: TOOLS,
    system: 'Be brief.',
    prompt: TEXT,
    maxOutputTokens: 1_000,
    maxRetries: 0,
    onError: (thrown) => {
      error = thrown.error
    },
  })
  const said = await Promise.resolve(text).catch(() => null)
  return { scope, said, isRefused: isLimitExceeded(error) }
}

describe('an exact token count', () => {
  it('admits a call that fits by the count and not by the estimate, and is not a model call', async () => {
    const { provider, source } = await stage()
    const { scope, said } = await ask(source)
    expect(said).toBe('Done.')
    expect(provider.counts).toMatchObject([{ path: '/v1/messages/count_tokens', status: 200, outcome: 'answered' }])
    expect((await scope.usage()).modelCalls).toMatchObject({ settled: 1, reserved: 0 })
  })

  it('is of the request as sent, with its key and headers, and without what is not part of a prompt', async () => {
    const { provider, source } = await stage()
    await ask(source)
    const [count] = provider.counts
    const [request] = provider.requests
    const { max_tokens: _, stream: __, ...counted } = JSON.parse(request!.body.toString())
    expect(JSON.parse(count!.body.toString())).toEqual(counted)
    const prompt = ['messages', 'model', 'output_config', 'system', 'thinking', 'tool_choice', 'tools']
    expect(Object.keys(counted).toSorted()).toEqual(prompt)
    const { 'content-length': ___, 'x-stint-reservation': reservation, ...headers } = request!.headers
    expect(reservation).toMatch(/.+/)
    expect(count!.headers).toMatchObject(headers)
    expect(count!.headers).not.toHaveProperty('x-stint-reservation')
  })

  it('is not requested if the estimate fits', async () => {
    const { provider, source } = await stage()
    expect((await ask(source, 100_000)).said).toBe('Done.')
    expect(provider.counts).toEqual([])
  })

  it.each([404, 405])('is not requested again if there is none: %i', async (status) => {
    const { provider, source } = await stage({ fault: { kind: 'status', status } })
    for (let run = 0; run < 3; run++) expect(await ask(source)).toMatchObject({ isRefused: true })
    expect(provider.counts).toHaveLength(1)
    expect(provider.requestCount).toBe(0)
  })

  it.each<[string, CountTurn]>([
    ['429', { fault: { kind: 'status', status: 429 } }],
    ['500', { fault: { kind: 'status', status: 500 } }],
    ['no answer', { fault: { kind: 'no-answer' } }],
    ['half of an answer', { fault: { kind: 'malformed' } }],
    ['a text', { says: { input_tokens: '5' } }],
    ['nothing', { says: null }],
    ['far too much', { says: { input_tokens: 5, padding: 'x'.repeat(100_000) } }],
  ])('falls back to the estimate if it fails, once in each call: %s', async (_, turn) => {
    const { provider, source } = await stage(turn)
    for (let run = 0; run < 2; run++) expect(await ask(source)).toMatchObject({ isRefused: true })
    expect(provider.counts).toHaveLength(2)
    expect(provider.requestCount).toBe(0)
  })

  it('is of the requested model: a fallback whose provider has no route for it is estimated', async () => {
    const { provider } = await stage(undefined, () => ({ fault: { kind: 'status', status: 529 } }))
    const other = await startProvider({ script: sayOnce('Done.'), bytesPerToken: 5 })
    const keys = { ANTHROPIC_API_KEY: 'sk-a', OPENAI_API_KEY: 'sk-o' }
    const source = sourceOf({
      env: { ...keys, ANTHROPIC_BASE_URL: provider.url, OPENAI_BASE_URL: other.openaiUrl },
    })
    expect(await ask(source, 9_500, ['openai/gpt-4.1'])).toMatchObject({ isRefused: true })
    expect([provider.counts.length, provider.requestCount]).toEqual([1, 1])
    expect([other.counts.length, other.requestCount]).toEqual([0, 0])
    expect(await ask(source, 20_000, ['openai/gpt-4.1'])).toMatchObject({ said: 'Done.' })
  })
})
