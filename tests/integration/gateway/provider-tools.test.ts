import { describe, expect, it } from 'vitest'
import { memberOf, readJson } from '../../../src/gateway/json/index.ts'
import { loopForEver, type ProviderRequest, type ProviderTurn } from '../../../src/testing/provider/index.ts'
import { runAgent } from './agents.ts'
import { startStage } from './stage.ts'

const CLAUDE = { model: 'claude-haiku-5-5', max_tokens: 500, messages: [{ role: 'user' as const, content: 'find' }] }
const SEARCH = { type: 'web_search_20250305' as const, name: 'web_search' as const }
const LOOK = { name: 'look', input_schema: { type: 'object' as const } }

const looping = loopForEver() as (request: ProviderRequest) => ProviderTurn
/** Searches forever, as often as each request allows. */
const searchForEver = (request: ProviderRequest): ProviderTurn => ({
  ...looping(request),
  webSearches: 9,
  searchTokens: 5_000,
})

/** The list of tools, byte by byte. */
function toolBytesOf(body: Buffer): string {
  const { start, end } = memberOf(readJson(body, { members: {} }).root, 'tools')!
  return body.toString('utf8', start, end)
}

function toolChoiceOf(body: Buffer): string {
  return JSON.stringify(JSON.parse(body.toString()).tool_choice)
}

describe('provider-run tools', () => {
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

  it('are removed if the first request has no room for them, and the client’s own tools stay', async () => {
    const stage = await startStage({ limits: { toolCalls: 1 } })
    await stage.anthropic().messages.create({ ...CLAUDE, tools: [LOOK, SEARCH] })
    expect(JSON.parse(stage.provider.requests[0]!.body.toString()).tools).toEqual([LOOK])
  })

  it.each([
    { cost: 0.05, searches: {} },
    { cost: 0.25, searches: { openai: 1, anthropic: 2 } },
    { cost: 1, searches: { openai: 4, anthropic: 5 } },
    { cost: 9, searches: { openai: 5, anthropic: 5 } },
  ])('leave money for the work: only a part of $cost is reserved for searches', async ({ cost, searches }) => {
    const stage = await startStage({ limits: { cost } })
    const look = { type: 'function' as const, name: 'look', parameters: { type: 'object' }, strict: false }
    const tools = [look, { type: 'web_search' as const }]
    await stage.openai().responses.create({ model: 'gpt-4.1', input: 'hi', tools })
    await stage.anthropic().messages.create({ ...CLAUDE, tools: [LOOK, SEARCH] })
    const [openai, anthropic] = stage.provider.requests.map(({ body }) => JSON.parse(body.toString()))
    expect(openai.max_tool_calls).toBe(searches.openai)
    expect(openai.tools).toEqual(tools)
    const lookAlone = { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'look' }] }
    expect(openai.tool_choice).toEqual(searches.openai === undefined ? lookAlone : undefined)
    expect(anthropic.tools[1]?.max_uses).toBe(searches.anthropic)
  })

  it.each([{ limits: { cost: 0.5 } }, { limits: { tokens: 200_000 } }])(
    'D2: read the prompt again after each search, which is reserved too: nothing is overspent under $limits',
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

  it.each([
    { wire: 'anthropic-messages', limits: { toolCalls: 3 } },
    { wire: 'anthropic-messages', limits: { toolCalls: 1 } },
    { wire: 'anthropic-messages', limits: { cost: 0.12 } },
    { wire: 'anthropic-messages', limits: { cost: 0.06 } },
    { wire: 'anthropic-messages', limits: { modelCalls: 3, cost: 1 } },
    { wire: 'openai-chat', limits: { toolCalls: 4 } },
    { wire: 'openai-chat', limits: { cost: 0.06 } },
    { wire: 'openai-responses', limits: { toolCalls: 5 } },
    { wire: 'openai-responses', limits: { toolCalls: 1 } },
    { wire: 'openai-responses', limits: { cost: 0.3 } },
    { wire: 'openai-responses', limits: { cost: 0.06 } },
    { wire: 'openai-responses', limits: { modelCalls: 3 } },
  ] as const)(
    'J9: the list of tools is the same in every request of a run, the closing one included: $wire under $limits',
    async ({ wire, limits }) => {
      const stage = await startStage({ limits, script: searchForEver })
      const agent = await runAgent(stage, wire, { searches: 5, maxTokens: 500, result: () => 'word '.repeat(2_000) })
      await stage.settle()
      expect(agent.error).toBe(null)
      expect(stage.provider.requestCount).toBeGreaterThan(1)
      const lists = stage.provider.requests.map(({ body }) => toolBytesOf(body))
      expect(new Set(lists).size, lists.join('\n')).toBe(1)
      expect(toolChoiceOf(stage.provider.requests.at(-1)!.body)).toMatch(/none/)
      const { cost, toolCalls } = await stage.run.usage()
      expect(cost).toMatchObject({ settled: stage.provider.book().costNanoUsd, overrun: 0 })
      expect(toolCalls.overrun).toBe(0)
    },
  )

  it('Anthropic: a bound of several drops directly to one and stays there, and then the call is refused', async () => {
    const stage = await startStage({ limits: { toolCalls: 6 }, script: loopForEver() })
    const agent = await runAgent(stage, 'anthropic-messages', { searches: 3 })
    const bounds = stage.provider.requests.map(({ body }) => JSON.parse(body.toString()).tools[1].max_uses)
    expect(bounds).toEqual([3, 3, 3, 1, 1, 1])
    // One of the six is kept for the search as long as it is listed.
    expect(agent).toMatchObject({ toolRuns: 5, error: null })
    expect(toolChoiceOf(stage.provider.requests.at(-1)!.body)).toMatch(/none/)
  })

  it('Anthropic: a tool that had no room at first stays removed, even when there is more', async () => {
    const stage = await startStage({
      limits: { toolCalls: 1 },
      async script(request) {
        if (request.number === 1) await stage.run.setLimits({ toolCalls: 9 })
        return looping(request)
      },
    })
    await runAgent(stage, 'anthropic-messages', { searches: 3, mostRounds: 3 })
    expect(stage.provider.requestCount).toBe(3)
    const lists = stage.provider.requests.map(({ body }) => toolBytesOf(body))
    expect(new Set(lists).size, lists.join('\n')).toBe(1)
    expect(lists[0]).not.toContain('web_search')
  })

  it('side requests that search are separate conversations: each is decided by what is left then', async () => {
    const stage = await startStage({ limits: { toolCalls: 4 }, script: () => ({ text: 'Found.', webSearches: 9 }) })
    const search = (content: string) =>
      stage
        .anthropic()
        .messages.create({ ...CLAUDE, messages: [{ role: 'user', content }], tools: [{ ...SEARCH, max_uses: 3 }] })
    await search('one')
    await search('two')
    await search('three')
    const bounds = stage.provider.requests.map(({ body }) => JSON.parse(body.toString()).tools?.[0].max_uses)
    expect(bounds).toEqual([3, 1, undefined])
    await stage.settle()
    expect((await stage.run.usage()).toolCalls).toMatchObject({ settled: 4, overrun: 0 })
  })

  it('OpenAI: a list that `allowed_tools` cannot name keeps one use reserved instead', async () => {
    const stage = await startStage({ limits: { toolCalls: 3 }, script: loopForEver() })
    const look = { type: 'function' as const, name: 'look', parameters: { type: 'object' }, strict: false }
    const box = { type: 'namespace', name: 'box', description: 'more', tools: [{ ...look, name: 'open' }] } as never
    const tools = [look, { type: 'web_search' as const }, box]
    for (let round = 0; round < 3; round++)
      await stage.openai().responses.create({ model: 'gpt-4.1', input: 'go', tools })
    const sent = stage.provider.requests.map(({ body }) => JSON.parse(body.toString()))
    expect(sent.map(({ max_tool_calls: most }) => most)).toEqual([2, 1, undefined])
    expect(sent.map(({ tool_choice: choice }) => choice)).toEqual([undefined, undefined, 'none'])
    expect(new Set(sent.map((body) => JSON.stringify(body.tools))).size).toBe(1)
  })

  it('OpenAI: an upstream that refuses `allowed_tools` gets the request again without the tool, and later ones too', async () => {
    const message = "Invalid value for 'tool_choice': 'allowed_tools' is not supported."
    const stage = await startStage({
      limits: { toolCalls: 3, cost: 0.06 },
      script: (request) =>
        JSON.stringify(request.body.tool_choice ?? '').includes('allowed_tools')
          ? { fault: { kind: 'status', status: 400, message } }
          : looping(request),
    })
    const agent = await runAgent(stage, 'openai-responses', { searches: 5, maxTokens: 500 })
    expect(agent).toMatchObject({ error: null, toolRuns: 3 })
    const lists = stage.provider.requests.map(({ body }) => toolBytesOf(body))
    expect(lists.map((list) => list.includes('web_search'))).toEqual([true, false, false, false, false])
    await stage.settle()
    expect(await stage.run.usage()).toMatchObject({ modelCalls: { settled: 4 }, cost: { overrun: 0 } })
  })

  it('are unchanged without a limit, and are charged as the provider counts them', async () => {
    const stage = await startStage({ script: () => ({ text: 'Found.', webSearches: 3 }) })
    await stage.anthropic().messages.create({ ...CLAUDE, tools: [SEARCH] })
    expect(JSON.parse(stage.provider.requests[0]!.body.toString()).tools).toEqual([SEARCH])
    await stage.settle()
    expect((await stage.run.usage()).cost.settled).toBe(stage.provider.book().costNanoUsd)
  })

  it('OpenAI: one bound over all of them; a conversation that the provider stores is not parallel', async () => {
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
