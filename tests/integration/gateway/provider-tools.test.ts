import { describe, expect, it } from 'vitest'
import { startStage } from './stage.ts'

const CLAUDE = { model: 'claude-haiku-5-5', max_tokens: 500, messages: [{ role: 'user' as const, content: 'find' }] }
const SEARCH = { type: 'web_search_20250305' as const, name: 'web_search' as const }
const LOOK = { name: 'look', input_schema: { type: 'object' as const } }

describe('tools that the provider runs', () => {
  it('are bounded by what is left, reserved before and settled from the answer', async () => {
    const stage = await startStage({
      limits: { toolCalls: 4, cost: 1 },
      script: () => ({ text: 'Found.', webSearches: 2 }),
    })
    await stage.anthropic().messages.create({ ...CLAUDE, tools: [LOOK, { ...SEARCH, max_uses: 9 }] })
    const sent = JSON.parse(stage.provider.requests[0]!.body.toString())
    expect(sent.tools[1].max_uses).toBe(3)
    await stage.settle()
    const usage = await stage.run.usage()
    expect(usage.toolCalls).toMatchObject({ settled: 2, reserved: 0 })
    expect(usage.cost).toMatchObject({ settled: stage.provider.book().costNanoUsd, reserved: 0 })
  })

  it('are taken out where nothing is left for them, and the client’s own tools stay', async () => {
    const stage = await startStage({ limits: { toolCalls: 1 } })
    await stage.anthropic().messages.create({ ...CLAUDE, tools: [LOOK, SEARCH] })
    expect(JSON.parse(stage.provider.requests[0]!.body.toString()).tools).toEqual([LOOK])
  })

  it.each([
    { cost: 0.05, searches: {} },
    { cost: 0.25, searches: { openai: 1, anthropic: 2 } },
    { cost: 1, searches: { openai: 4, anthropic: 5 } },
    { cost: 9, searches: { openai: 5, anthropic: 5 } },
  ])('leave the money to the work: only a part of $cost is set aside for searches', async ({ cost, searches }) => {
    const stage = await startStage({ limits: { cost } })
    const look = { type: 'function' as const, name: 'look', parameters: { type: 'object' }, strict: false }
    const tools = [look, { type: 'web_search' as const }]
    await stage.openai().responses.create({ model: 'gpt-4.1', input: 'hi', tools })
    await stage.anthropic().messages.create({ ...CLAUDE, tools: [LOOK, SEARCH] })
    const [openai, anthropic] = stage.provider.requests.map(({ body }) => JSON.parse(body.toString()))
    expect(openai.max_tool_calls).toBe(searches.openai)
    expect(openai.tools).toEqual(searches.openai === undefined ? [look] : tools)
    expect(anthropic.tools[1]?.max_uses).toBe(searches.anthropic)
  })

  it.each([{ limits: { cost: 0.5 } }, { limits: { tokens: 200_000 } }])(
    'D2: read the prompt again after each search, which is set aside too: nothing is overspent under $limits',
    async ({ limits }) => {
      const stage = await startStage({
        limits,
        script: () => ({ text: 'Found.', webSearches: 9, searchTokens: 10_000 }),
      })
      const messages = [{ role: 'user' as const, content: 'find what is said of this: '.repeat(1_500) }]
      const ask = () => stage.anthropic().messages.create({ ...CLAUDE, messages, tools: [LOOK, SEARCH] })
      for (let round = 0; round < 30; round++) await ask().catch(() => {})
      await stage.settle()
      const { cost, tokens } = await stage.run.usage()
      expect(stage.provider.book().usage.webSearches).toBeGreaterThan(0)
      expect(cost.settled).toBe(stage.provider.book().costNanoUsd)
      expect(cost.settled).toBeLessThanOrEqual(500_000_000)
      expect(tokens.settled).toBeLessThanOrEqual(limits.tokens ?? Number.POSITIVE_INFINITY)
    },
  )

  it('stay as they are without a limit, and are charged as the provider counts them', async () => {
    const stage = await startStage({ script: () => ({ text: 'Found.', webSearches: 3 }) })
    await stage.anthropic().messages.create({ ...CLAUDE, tools: [SEARCH] })
    expect(JSON.parse(stage.provider.requests[0]!.body.toString()).tools).toEqual([SEARCH])
    await stage.settle()
    expect((await stage.run.usage()).cost.settled).toBe(stage.provider.book().costNanoUsd)
  })

  it('OpenAI: one bound over all of them; a conversation that the provider keeps is not parallel', async () => {
    const stage = await startStage({ limits: { toolCalls: 3 } })
    const look = { type: 'function' as const, name: 'look', parameters: { type: 'object' }, strict: false }
    const first = await stage
      .openai()
      .responses.create({ model: 'gpt-4.1', input: 'hi', tools: [look, { type: 'web_search' }] })
    expect(JSON.parse(stage.provider.requests[0]!.body.toString())).toMatchObject({ max_tool_calls: 2 })
    const next = { model: 'gpt-4.1', input: 'on', tools: [look], previous_response_id: first.id }
    await stage
      .openai()
      .responses.create(next)
      .catch(() => {})
    expect(JSON.parse(stage.provider.requests[1]!.body.toString())).toMatchObject({ parallel_tool_calls: false })
  })
})
