import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../../src/testing/index.ts'
import type { CountTurn } from '../../../src/testing/provider/index.ts'
import { loopForEver } from '../../../src/testing/provider/index.ts'
import { runAgent, type Wire } from './agents.ts'
import { type Stage, type StageOptions, startStage } from './stage.ts'

const COUNTED = ['anthropic-messages', 'openai-responses'] as const satisfies readonly Wire[]

// 40 kB of prose: 8,000 tokens to the provider, and more than 10,000 by any careful estimate.
const TEXT = 'Plain words that say next to nothing of any use. '.repeat(820)
const LIMITS = { tokens: 9_500 }
const PROVIDER = { bytesPerToken: 5 }

/** One request without tools, which no closing call follows. */
async function ask(stage: Stage, wire: Wire, text = TEXT, headers: Record<string, string> = {}): Promise<number> {
  const ends: Record<Wire, () => Promise<unknown>> = {
    'anthropic-messages': () =>
      stage
        .anthropic()
        .messages.create(
          { model: 'claude-haiku-5-5', max_tokens: 1_000, messages: [{ role: 'user', content: text }] },
          { headers },
        ),
    'openai-chat': () =>
      stage
        .openai()
        .chat.completions.create(
          { model: 'gpt-4.1', max_completion_tokens: 1_000, messages: [{ role: 'user', content: text }] },
          { headers },
        ),
    'openai-responses': () =>
      stage.openai().responses.create({ model: 'gpt-4.1', max_output_tokens: 1_000, input: text }, { headers }),
  }
  try {
    await ends[wire]()
    return 200
  } catch (error) {
    return (error as { readonly status?: number }).status ?? 0
  }
}

const withCounts = (turn: CountTurn, more: Omit<StageOptions, 'provider'> = {}): StageOptions => ({
  limits: LIMITS,
  ...more,
  provider: { ...PROVIDER, counts: () => turn },
})

describe('a count before a refusal', () => {
  it.each(COUNTED)(
    'admits a call that fits by the count and not by the estimate, and is not a model call: %s',
    async (wire) => {
      const stage = await startStage({ limits: LIMITS, provider: PROVIDER })
      expect(await ask(stage, wire)).toBe(200)
      await stage.settle()
      expect(stage.provider.counts).toMatchObject([{ status: 200, outcome: 'answered' }])
      const { modelCalls, tokens } = await stage.run.usage()
      expect(modelCalls).toMatchObject({ settled: 1, reserved: 0 })
      expect(tokens.settled).toBeLessThanOrEqual(LIMITS.tokens)
      expect(stage.calls).toHaveLength(1)
    },
  )

  it('is requested once, and its refusal is final', async () => {
    const stage = await startStage({ limits: { tokens: 8_000 }, provider: PROVIDER })
    expect(await ask(stage, 'anthropic-messages')).toBe(402)
    expect(stage.provider.counts).toHaveLength(1)
    expect(stage.provider.requestCount).toBe(0)
  })

  it('is not requested if the estimate fits, or if the provider has no route for it', async () => {
    const roomy = await startStage({ limits: { tokens: 100_000 } })
    expect(await ask(roomy, 'anthropic-messages')).toBe(200)
    expect(roomy.provider.counts).toEqual([])
    const chat = await startStage({ limits: LIMITS, provider: PROVIDER })
    expect(await ask(chat, 'openai-chat')).toBe(402)
    expect(chat.provider.counts).toEqual([])
  })

  it('is not requested if provider-run tools read the prompt again, which no count includes', async () => {
    const ask = async (tokens: number, more: object) => {
      const stage = await startStage({ limits: { tokens }, provider: PROVIDER })
      const messages = [{ role: 'user' as const, content: TEXT }]
      await stage.anthropic().messages.create({ model: 'claude-haiku-5-5', max_tokens: 20_000, messages, ...more })
      const { tools = [] } = JSON.parse(stage.provider.requests[0]!.body.toString())
      return { tools: tools.length, counts: stage.provider.counts.length }
    }
    const look = { name: 'look', input_schema: { type: 'object' } }
    const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 1 }
    expect(await ask(110_000, { tools: [look, search] })).toEqual({ tools: 2, counts: 0 })
    expect(await ask(45_000, { tools: [look] })).toEqual({ tools: 1, counts: 1 })
  })

  it('is not requested if the provider has counted the prompt before', async () => {
    const stage = await startStage({ limits: { tokens: 17_000 }, provider: PROVIDER })
    expect(await ask(stage, 'anthropic-messages')).toBe(200)
    expect(await ask(stage, 'anthropic-messages')).toBe(200)
    expect(JSON.parse(stage.provider.requests[1]!.body.toString()).max_tokens).toBeLessThan(1_000)
    expect(await ask(stage, 'anthropic-messages')).toBe(402)
    expect(stage.provider.counts).toEqual([])
  })

  it('goes where the call would go, with its query and its headers, and without what is not part of a prompt', async () => {
    const stage = await startStage({ limits: LIMITS, provider: PROVIDER })
    await stage.anthropic().beta.messages.create(
      {
        model: 'claude-haiku-5-5',
        max_tokens: 1_000,
        stop_sequences: ['END'],
        metadata: { user_id: 'ann' },
        system: 'Be brief.',
        messages: [{ role: 'user', content: TEXT }],
        betas: ['context-1m-2025-08-07'],
      },
      { headers: { 'idempotency-key': 'only-for-the-call' }, query: { beta: 'true' } },
    )
    const [count] = stage.provider.counts
    expect(count!.path).toBe('/v1/messages/count_tokens?beta=true')
    expect(count!.headers).toMatchObject({ 'anthropic-beta': expect.stringContaining('context-1m-2025-08-07') })
    expect(count!.headers).not.toHaveProperty('idempotency-key')
    expect(stage.provider.requests[0]!.headers).toHaveProperty('idempotency-key')
    const body = JSON.parse(count!.body.toString())
    expect(Object.keys(body).toSorted()).toEqual(['messages', 'model', 'system'])
  })

  it('is of the request as sent, including the line about the budget', async () => {
    const stage = await startStage({ limits: { tokens: 22_000 }, provider: PROVIDER })
    const run = await runAgent(stage, 'anthropic-messages', { task: TEXT, mostRounds: 1 })
    expect(run.error).toBeNull()
    const [count] = stage.provider.counts
    const sent = JSON.parse(stage.provider.requests[0]!.body.toString())
    const { max_tokens: _, ...counted } = sent
    expect(JSON.parse(count!.body.toString())).toEqual(counted)
    expect(JSON.stringify(counted.system)).toContain('budget')
  })
})

describe('a missing count', () => {
  it.each([404, 405])('falls back to the estimate, and is not requested again: %i', async (status) => {
    const stage = await startStage(withCounts({ fault: { kind: 'status', status } }))
    for (let again = 0; again < 3; again++) expect(await ask(stage, 'anthropic-messages')).toBe(402)
    expect(stage.provider.counts).toHaveLength(1)
    expect(await ask(stage, 'openai-responses')).toBe(402)
    expect(stage.provider.counts).toHaveLength(2)
  })

  it.each<[string, CountTurn]>([
    ['429', { fault: { kind: 'status', status: 429 } }],
    ['500', { fault: { kind: 'status', status: 500 } }],
    ['no answer', { fault: { kind: 'no-answer' } }],
    ['half of an answer', { fault: { kind: 'malformed' } }],
    ['a text', { says: { input_tokens: '5' } }],
    ['less than nothing', { says: { input_tokens: -5 } }],
    ['a fraction', { says: { input_tokens: 0.5 } }],
    ['nothing', { says: { input_tokens: 0 } }],
    ['less than a text can have', { says: { input_tokens: 5 } }],
    ['a list', { says: [] }],
    ['null', { says: null }],
    ['far too much', { says: { input_tokens: 5, padding: 'x'.repeat(100_000) } }],
  ])('falls back to the estimate, and is requested with the next request: %s', async (_, turn) => {
    const stage = await startStage(withCounts(turn))
    expect(await ask(stage, 'anthropic-messages')).toBe(402)
    expect(await ask(stage, 'anthropic-messages')).toBe(402)
    expect(stage.provider.counts).toHaveLength(2)
    expect(stage.provider.requestCount).toBe(0)
  })

  it('is given up after two seconds', async () => {
    const clock = createManualClock()
    const stage = await startStage(withCounts({ fault: { kind: 'hang' } }, { clock }))
    let status: number | null = null
    void ask(stage, 'anthropic-messages').then((end) => {
      status = end
    })
    await expect.poll(() => stage.provider.counts.length).toBe(1)
    await clock.advance(1_999)
    expect(status).toBeNull()
    await clock.advance(1)
    await expect.poll(() => status).toBe(402)
    await expect.poll(() => stage.provider.counts).toMatchObject([{ outcome: 'gone' }])
  })
})

describe('a count before a closing call', () => {
  it('lets it write as much as fits by the earlier count', async () => {
    const limits = { toolCalls: 1, tokens: 17_000 }
    const stage = await startStage({ limits, provider: PROVIDER, script: loopForEver() })
    const run = await runAgent(stage, 'anthropic-messages', { result: () => TEXT, maxTokens: 5_000 })
    expect(run).toMatchObject({ error: null, text: 'This is how far I came.' })
    expect(stage.provider.counts).toHaveLength(1)
    expect(JSON.parse(stage.provider.requests[1]!.body.toString()).max_tokens).toBe(4_096)
  })

  it('is requested for the closing call if the work needed none, since its prompt was known', async () => {
    const limits = { toolCalls: 1, tokens: 20_500 }
    const stage = await startStage({ limits, provider: PROVIDER, script: loopForEver() })
    const run = await runAgent(stage, 'anthropic-messages', { task: TEXT, maxTokens: 5_000 })
    expect(run).toMatchObject({ error: null, text: 'This is how far I came.' })
    const choices = stage.provider.counts.map(({ body }) => JSON.parse(body.toString()).tool_choice?.type ?? 'auto')
    expect(choices).toEqual(['auto', 'none'])
  })

  it('is not requested again if it was requested before the call became the closing one', async () => {
    const turn: CountTurn = { fault: { kind: 'status', status: 500 } }
    const stage = await startStage(withCounts(turn, { limits: { tokens: 6_000 }, script: loopForEver() }))
    const run = await runAgent(stage, 'anthropic-messages', { result: () => TEXT })
    expect(run).toMatchObject({ error: null, requests: 2, text: 'This is how far I came.' })
    expect(stage.provider.requests[1]!.body.toString()).toContain('left out')
    expect(stage.provider.counts).toHaveLength(1)
  })

  it.each(COUNTED)('is at most one for each request, and an answer follows: %s', async (wire) => {
    const stage = await startStage({ limits: { tokens: 60_000 }, script: loopForEver() })
    const run = await runAgent(stage, wire, { result: () => TEXT.slice(0, 16_000) })
    expect(run).toMatchObject({ error: null, text: 'This is how far I came.' })
    await stage.settle()
    expect(stage.provider.counts.length).toBeGreaterThan(0)
    expect(stage.provider.counts.length).toBeLessThanOrEqual(run.requests)
    const { modelCalls, tokens } = await stage.run.usage()
    expect(modelCalls.settled).toBe(stage.provider.requestCount)
    expect(tokens.settled).toBeLessThanOrEqual(60_000)
  })
})

describe('estimates that learn', () => {
  const UNCOUNTED: CountTurn = { fault: { kind: 'status', status: 404 } }
  const other = `Other ${TEXT}`

  it.each([
    ['size a new prompt by what the last ones of its program took', {}, 200],
    ['size it by those of another conversation too', { 'x-stint-agent': 'another' }, 200],
    ['learn nothing from another program', { 'user-agent': 'other/1.0' }, 402],
  ])('%s', async (_, headers, status) => {
    const stage = await startStage(withCounts(UNCOUNTED, { limits: { tokens: 21_000 } }))
    expect(await ask(stage, 'anthropic-messages')).toBe(200)
    expect(await ask(stage, 'anthropic-messages', other, headers)).toBe(status)
    await stage.settle()
    expect((await stage.run.usage()).tokens).toMatchObject({ overrun: 0 })
  })
})
