import { APICallError } from 'ai'
import { describe, expect, it } from 'vitest'
import { governedModel } from './governed-model.ts'
import type { AnswerPart, CallOptions, GenerateResult } from './language-model.ts'
import { ASK, answering, modelOf, openScope } from './model.fixture.ts'

type Tool = NonNullable<CallOptions['tools']>[number]

const providerTool = (id: `${string}.${string}`, args = {}) =>
  ({ type: 'provider', id, name: id.split('.')[1]!, args }) satisfies Tool
const search = (maxUses?: number) =>
  providerTool('anthropic.web_search_20250305', maxUses === undefined ? {} : { maxUses })
const fetchPage = (maxUses: number) => providerTool('anthropic.web_fetch_20250910', { maxUses })
const READ = { type: 'function', name: 'read', inputSchema: { type: 'object' } } satisfies Tool

const callOf = ({ name }: Tool, place: number): AnswerPart => ({
  type: 'tool-call',
  toolCallId: `${name} ${place}`,
  toolName: name,
  input: '{}',
  providerExecuted: true,
})

/** A model whose provider runs every tool as often as the request allows. */
const eager = () =>
  modelOf({
    async doGenerate({ tools = [] }): Promise<GenerateResult> {
      const uses = (tool: Tool) => (tool.type === 'provider' ? ((tool.args.maxUses as number | undefined) ?? 0) : 0)
      const content = tools.flatMap((tool) => Array.from({ length: uses(tool) }, (_, place) => callOf(tool, place)))
      return { ...(await answering().model.doGenerate(ASK)), content }
    },
  })

const OUTPUT = { total: 5, text: 5, reasoning: 0 }

const refusal = () => new APICallError({ message: 'slow down', url: '', requestBodyValues: {}, statusCode: 429 })

describe('tools that the provider runs', () => {
  it('are bounded together by what is left, and counted as they ran', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 7 } })
    const { model, sent } = eager()
    const governed = governedModel(scope, model)
    await governed.doGenerate({ ...ASK, tools: [search(3), fetchPage(5)] })
    expect(sent[0]?.tools).toEqual([search(3), fetchPage(4)])
    expect((await scope.usage()).toolCalls).toMatchObject({ settled: 7, reserved: 0, overrun: 0 })
  })

  it('are removed if nothing is left for them, or the request cannot bound them', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 3 } })
    const { model, sent } = eager()
    const governed = governedModel(scope, model)
    await governed.doGenerate({ ...ASK, tools: [search(10), fetchPage(5), providerTool('google.google_search')] })
    expect(sent[0]?.tools).toEqual([search(3)])
    await governed.doGenerate({ ...ASK, tools: [search()] })
    expect(sent[1]?.tools).toBe(undefined)
  })

  it('a tool choice that names a removed one is removed too', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 0 } })
    const { model, sent } = eager()
    const toolChoice = (toolName: string) => ({ type: 'tool', toolName }) as const
    const tools = [READ, search()]
    const governed = governedModel(scope, model)
    await governed.doGenerate({ ...ASK, tools, toolChoice: toolChoice(search().name) })
    await governed.doGenerate({ ...ASK, tools, toolChoice: toolChoice('read') })
    await governed.doGenerate({ ...ASK, tools, toolChoice: { type: 'required' } })
    expect(sent.map(({ toolChoice: choice }) => choice)).toEqual([undefined, toolChoice('read'), { type: 'required' }])
    expect(sent.map(({ tools: left }) => left)).toEqual([[READ], [READ], [READ]])
  })

  it('OpenAI’s share one bound, which never grows above the caller’s own', async () => {
    const tools = [providerTool('openai.web_search'), providerTool('openai.file_search')]
    const boundUnder = async (toolCalls: number, openai: Record<string, number>) => {
      const { scope } = await openScope({ limits: { toolCalls } })
      const { model, sent } = answering()
      await governedModel(scope, model).doGenerate({ ...ASK, tools, providerOptions: { openai } })
      return sent[0]?.providerOptions?.openai
    }
    expect(await boundUnder(3, { store: 1 })).toEqual({ store: 1, maxToolCalls: 3 })
    expect(await boundUnder(20, {})).toEqual({ maxToolCalls: 5 })
    expect(await boundUnder(20, { maxToolCalls: 2 })).toEqual({ maxToolCalls: 2 })
  })

  it('use up nothing if the provider refused the request, or nothing was sent', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 10 } })
    const refusing = { doGenerate: () => Promise.reject(refusal()), doStream: () => Promise.reject(refusal()) }
    const { model, sent } = modelOf(refusing)
    const governed = governedModel(scope, model)
    const asked = { ...ASK, tools: [search()] }
    await expect(governed.doGenerate(asked)).rejects.toThrow('slow down')
    await expect(governed.doStream(asked)).rejects.toThrow('slow down')
    await expect(governed.doGenerate({ ...asked, abortSignal: AbortSignal.abort() })).rejects.toThrow()
    expect(sent).toHaveLength(2)
    expect((await scope.usage()).toolCalls).toMatchObject({ settled: 0, reserved: 0 })
  })

  it('are charged in full after an error if it is unknown what ran before', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 10 } })
    const { model } = modelOf({ doGenerate: () => Promise.reject(new Error('socket hang up')) })
    await expect(governedModel(scope, model).doGenerate({ ...ASK, tools: [search(4)] })).rejects.toThrow('hang up')
    expect((await scope.usage()).toolCalls).toMatchObject({ settled: 4, reserved: 0 })
  })

  it('leave money for the work: only a part of the rest is set aside for searches and their results', async () => {
    const boundUnder = async (limits: object, ...tools: Tool[]) => {
      const { scope } = await openScope({ limits })
      const { model, sent } = answering()
      await governedModel(scope, model).doGenerate({ ...ASK, tools: [READ, ...tools] })
      return [sent[0]?.tools?.slice(1), sent[0]?.providerOptions?.openai]
    }
    for (const meter of ['cost', 'planningCost']) {
      expect(await boundUnder({ [meter]: 0.06 }, search(5))).toEqual([[], undefined])
      expect(await boundUnder({ [meter]: 0.8 }, search(5))).toEqual([[search(2)], undefined])
      expect(await boundUnder({ [meter]: 9 }, search())).toEqual([[search(5)], undefined])
    }
    expect(await boundUnder({ tokens: 20_000 }, search(5))).toEqual([[], undefined])
    expect(await boundUnder({ tokens: 200_000 }, search(5))).toEqual([[search(2)], undefined])
    const ofOpenAi = [providerTool('openai.web_search'), providerTool('openai.mcp')]
    // A listed OpenAI tool reserves one use in every later call, so a small budget leaves it out.
    expect(await boundUnder({ cost: 0.06 }, ...ofOpenAi)).toEqual([[], undefined])
    expect(await boundUnder({ cost: 0.8 }, ...ofOpenAi)).toEqual([ofOpenAi, { maxToolCalls: 2 }])
    for (const limits of [{ modelCalls: 9 }, { cost: { max: 1, action: 'warn' } }]) {
      expect(await boundUnder(limits, search(), ...ofOpenAi)).toEqual([[search(), ...ofOpenAi], undefined])
    }
  })

  it.each([
    { limits: { cost: 0.06 }, searches: false },
    { limits: { cost: 0.5 }, searches: true },
    { limits: { cost: 2 }, searches: true },
    { limits: { tokens: 60_000 }, searches: false },
    { limits: { tokens: 300_000 }, searches: true },
  ])(
    'D2: reread the prompt after each use, which is reserved too: nothing is overspent under $limits',
    async ({ limits, searches }) => {
      const { scope } = await openScope({ limits })
      let reads = 0
      const { model } = modelOf({
        async doGenerate({ prompt, tools = [] }): Promise<GenerateResult> {
          const uses = tools.reduce(
            (sum, tool) => sum + (tool.type === 'provider' ? (tool.args.maxUses as number) : 0),
            0,
          )
          reads += uses
          const promptTokens = JSON.stringify(prompt).length / 5
          const total = Math.floor((uses + 1) * promptTokens + 5_000 * uses * (uses + 1))
          const content = Array.from({ length: uses }, (_, place) => callOf(search(), place))
          const usage = { inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 }, outputTokens: OUTPUT }
          return { ...(await answering().model.doGenerate(ASK)), content, usage }
        },
      })
      const prompt = [
        { role: 'user' as const, content: [{ type: 'text' as const, text: 'find this: '.repeat(1_500) }] },
      ]
      const ask = () =>
        governedModel(scope, model).doGenerate({ prompt, tools: [READ, search(5)], maxOutputTokens: 50 })
      for (let round = 0; round < 6; round++) await Promise.allSettled(Array.from({ length: 10 }, ask))
      const usage = await scope.usage()
      expect(usage.cost).toMatchObject({ overrun: 0, reserved: 0 })
      expect(usage.tokens).toMatchObject({ overrun: 0, reserved: 0 })
      expect(usage.modelCalls.settled).toBeGreaterThan(0)
      expect(reads > 0).toBe(searches)
    },
  )

  it('that no request can bound are removed under a limit that counts them, unless they are allowed', async () => {
    const google = [providerTool('google.google_search'), providerTool('google.url_context')]
    const others = [
      providerTool('anthropic.code_execution_20250825'),
      providerTool('anthropic.advisor_20260301', { maxUses: 1 }),
      providerTool('openai.image_generation'),
      providerTool('openai.code_interpreter'),
      { ...providerTool('openai.shell', { environment: { type: 'containerAuto' } }), name: 'box' },
      providerTool('xai.web_search'),
    ]
    const providerOptions = {
      anthropic: { mcpServers: [{ type: 'url', name: 'mail', url: 'https://mail.test' }], speed: 'standard' },
      xai: { searchParameters: { mode: 'auto' } },
    }
    const byCaller = [
      READ,
      providerTool('anthropic.bash_20250124'),
      providerTool('openai.shell'),
      providerTool('openai.local_shell'),
      providerTool('openai.tool_search'),
    ]
    const sentUnder = async (limits: object, allowsUnboundedTools = false) => {
      const { scope } = await openScope({ limits })
      const { model, sent } = answering()
      const asked = { ...ASK, tools: [...google, ...others, ...byCaller], providerOptions }
      await governedModel(scope, model, { allowsUnboundedTools }).doGenerate(asked)
      return sent[0]!
    }
    for (const limits of [{ cost: 1 }, { tokens: 500_000 }, { toolCalls: 9 }]) {
      const { tools = [], providerOptions: options } = await sentUnder(limits)
      const kept = 'cost' in limits ? byCaller : [others[3], others[4], ...byCaller]
      expect(tools).toEqual(kept)
      expect([options?.anthropic, options?.xai]).toEqual([{ speed: 'standard' }, {}])
    }
    const { tools, providerOptions: options } = await sentUnder({ cost: 9 }, true)
    expect(tools).toEqual([...google, ...others, ...byCaller])
    expect(options).toEqual(providerOptions)
  })

  it('return no more per use than is reserved for it, if the request can bound that', async () => {
    const sentUnder = async (limits: object, args: object) => {
      const { scope } = await openScope({ limits })
      const { model, sent } = answering()
      await governedModel(scope, model).doGenerate({
        ...ASK,
        tools: [providerTool('anthropic.web_fetch_20250910', args)],
      })
      const [tool] = sent[0]!.tools!
      return tool?.type === 'provider' ? tool.args : null
    }
    expect(await sentUnder({ cost: 9 }, { maxUses: 1 })).toEqual({ maxUses: 1, maxContentTokens: 10_000 })
    expect(await sentUnder({ cost: 9 }, { maxUses: 1, maxContentTokens: 500 })).toEqual({
      maxUses: 1,
      maxContentTokens: 500,
    })
    expect(await sentUnder({ modelCalls: 9 }, { maxUses: 1 })).toEqual({ maxUses: 1 })
  })

  it('for file searches cost what they ran', async () => {
    const { scope } = await openScope({ limits: { cost: 9 } })
    const files = providerTool('openai.file_search')
    const content = [1, 2, 3].map((place) => callOf(files, place))
    const { model } = modelOf({ doGenerate: async () => ({ ...(await answering().model.doGenerate(ASK)), content }) })
    await governedModel(scope, model).doGenerate({ ...ASK, tools: [files, providerTool('openai.web_search')] })
    const plain = await openScope({ limits: { cost: 9 } })
    await governedModel(plain.scope, answering().model).doGenerate(ASK)
    const fees = (await scope.usage()).cost.settled - (await plain.scope.usage()).cost.settled
    expect(fees).toBe(3 * 2_500_000)
  })

  it('Azure’s bound is written to the option that its provider reads', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 3 } })
    const { model, sent } = answering()
    const providerOptions = { azure: { store: true, maxToolCalls: 9 } }
    await governedModel(scope, model).doGenerate({ ...ASK, tools: [providerTool('openai.mcp')], providerOptions })
    expect(sent[0]?.providerOptions?.azure).toEqual({ store: true, maxToolCalls: 3 })
  })

  it('are removed from a closing call with a forced format: nothing is set aside for them', async () => {
    const { scope } = await openScope({ limits: { modelCalls: 2, cost: 9 }, wrapUp: true })
    const { model, sent } = answering()
    const governed = governedModel(scope, model, { wrapUp: true })
    const asked = { ...ASK, tools: [READ, search(2)], toolChoice: { type: 'required' as const } }
    await governed.doGenerate(asked)
    await governed.doGenerate(asked)
    expect(sent.map(({ tools }) => tools)).toEqual([[READ, search(2)], [READ]])
  })

  it.each([
    { limits: { toolCalls: 5 }, tool: search(5), uses: [4, 1, 1, 1, 1, 1] },
    { limits: { toolCalls: 2 }, tool: search(5), uses: [1, 1, 1] },
    { limits: { toolCalls: 1 }, tool: search(5), uses: [] },
    { limits: { cost: 0.06 }, tool: search(5), uses: [] },
    { limits: { toolCalls: 3 }, tool: providerTool('openai.web_search'), uses: Array(4).fill(undefined) },
  ])(
    'J9: stay listed or left out as in the first request, up to the closing one: $tool.id under $limits',
    async ({ limits, tool, uses }) => {
      const { scope } = await openScope({ limits, wrapUp: true })
      const inputTokens = { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 }
      const { model, sent } = modelOf({
        doGenerate({ maxOutputTokens: total = 0 }) {
          return answering('done', { inputTokens, outputTokens: { ...OUTPUT, total } }).model.doGenerate(ASK)
        },
      })
      const governed = governedModel(scope, model, { wrapUp: true })
      const asked = { ...ASK, tools: [READ, tool], maxOutputTokens: 2_000 }
      for (let round = 0; round < 60 && sent.at(-1)?.toolChoice?.type !== 'none'; round++) {
        await governed.doGenerate(asked)
        await scope.callTool({ name: 'read' }, () => 1)
      }
      expect(sent.at(-1)?.toolChoice).toEqual({ type: 'none' })
      const lists = sent.map(({ tools = [] }) => tools.slice(1))
      const expected = uses.map((maxUses) => [maxUses === undefined ? tool : search(maxUses)])
      expect(lists).toEqual(uses.length === 0 ? lists.map(() => []) : expected)
      const { toolCalls, cost } = await scope.usage()
      expect([toolCalls.overrun, cost.overrun]).toEqual([0, 0])
    },
  )

  it('a model with built-in search is reserved with its search, which no closing call can leave out', async () => {
    const { scope } = await openScope({ limits: { modelCalls: 2, cost: 9 }, wrapUp: true })
    const { model, sent } = answering()
    const searching = { ...model, modelId: 'test-model-search-preview' }
    const governed = governedModel(scope, searching, { wrapUp: true })
    await governed.doGenerate(ASK)
    const withSearch = (await scope.usage()).cost.settled
    await expect(governed.doGenerate(ASK)).rejects.toThrow('modelCalls')
    const plain = await openScope({ limits: { cost: 9 } })
    await governedModel(plain.scope, answering().model).doGenerate(ASK)
    expect(withSearch - (await plain.scope.usage()).cost.settled).toBe(35_000_000)
    expect(sent).toHaveLength(1)
  })

  it('for searches cost what they ran, or the maximum if that is unknown', async () => {
    const feeOf = async (parts: readonly AnswerPart[], ...tools: Tool[]) => {
      const { scope } = await openScope({ limits: { cost: 9 } })
      const { model } = modelOf({
        doGenerate: async () => ({ ...(await answering().model.doGenerate(ASK)), content: [...parts] }),
      })
      await governedModel(scope, model, { allowsUnboundedTools: true }).doGenerate({ ...ASK, tools })
      return (await scope.usage()).cost.settled
    }
    const none = await feeOf([])
    const [once, twice] = [
      await feeOf([callOf(search(), 1)], search()),
      await feeOf(
        [1, 2].map((place) => callOf(search(), place)),
        search(),
      ),
    ]
    expect(once).toBeGreaterThan(none)
    expect(twice - none).toBe(2 * (once - none))
    expect(await feeOf([], search())).toBe(none)
    expect(await feeOf([callOf(fetchPage(1), 1)], search(), fetchPage(1))).toBe(none)
    expect(await feeOf([], providerTool('google.google_search'))).toBe(none + 5 * (once - none))
  })

  it('are counted even without a limit', async () => {
    const { scope } = await openScope()
    await governedModel(scope, eager().model).doGenerate({ ...ASK, tools: [search(2)] })
    expect((await scope.usage()).toolCalls.settled).toBe(2)
  })
})
