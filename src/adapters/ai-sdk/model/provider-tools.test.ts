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

/** A model whose provider runs every tool as often as the request lets it. */
const eager = () =>
  modelOf({
    async doGenerate({ tools = [] }): Promise<GenerateResult> {
      const uses = (tool: Tool) => (tool.type === 'provider' ? ((tool.args.maxUses as number | undefined) ?? 0) : 0)
      const content = tools.flatMap((tool) => Array.from({ length: uses(tool) }, (_, place) => callOf(tool, place)))
      return { ...(await answering().model.doGenerate(ASK)), content }
    },
  })

const refusal = () => new APICallError({ message: 'slow down', url: '', requestBodyValues: {}, statusCode: 429 })

describe('tools that the provider runs', () => {
  it('are bounded by what is left, all of them together, and counted as they ran', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 7 } })
    const { model, sent } = eager()
    const governed = governedModel(scope, model)
    await governed.doGenerate({ ...ASK, tools: [search(3), fetchPage(5)] })
    expect(sent[0]?.tools).toEqual([search(3), fetchPage(4)])
    expect((await scope.usage()).toolCalls).toMatchObject({ settled: 7, reserved: 0, overrun: 0 })
  })

  it('are taken out where nothing is left for them, or the request cannot bound them', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 3 } })
    const { model, sent } = eager()
    const governed = governedModel(scope, model)
    await governed.doGenerate({ ...ASK, tools: [search(10), fetchPage(5), providerTool('google.google_search')] })
    expect(sent[0]?.tools).toEqual([search(3)])
    await governed.doGenerate({ ...ASK, tools: [search()] })
    expect(sent[1]?.tools).toBe(undefined)
  })

  it('a choice that names one which was taken out is taken out too', async () => {
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

  it('use nothing up where the provider refused the request, or nothing was sent', async () => {
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

  it('are charged in full after an error of which nobody knows what came before it', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 10 } })
    const { model } = modelOf({ doGenerate: () => Promise.reject(new Error('socket hang up')) })
    await expect(governedModel(scope, model).doGenerate({ ...ASK, tools: [search(4)] })).rejects.toThrow('hang up')
    expect((await scope.usage()).toolCalls).toMatchObject({ settled: 4, reserved: 0 })
  })

  it('that search are held to what was reserved for them under a limit of cost, and the others left alone', async () => {
    const sentUnder = async (limits: object, tools: Tool[]) => {
      const { scope } = await openScope({ limits })
      const { model, sent } = answering()
      await governedModel(scope, model).doGenerate({ ...ASK, tools })
      return [sent[0]?.tools, sent[0]?.providerOptions?.openai]
    }
    const others = [providerTool('anthropic.web_fetch_20250910'), providerTool('google.google_search'), READ]
    for (const limits of [{ cost: 1 }, { planningCost: 1 }]) {
      expect(await sentUnder(limits, [search(), ...others])).toEqual([[search(5), ...others], undefined])
    }
    const ofOpenAi = [providerTool('openai.web_search'), providerTool('openai.file_search')]
    expect(await sentUnder({ cost: 1 }, ofOpenAi)).toEqual([ofOpenAi, { maxToolCalls: 5 }])
    expect(await sentUnder({ cost: 1 }, [ofOpenAi[1]!])).toEqual([[ofOpenAi[1]], undefined])
    for (const limits of [{ modelCalls: 9 }, { cost: { max: 1, action: 'warn' } }]) {
      expect(await sentUnder(limits, [search(), ...others])).toEqual([[search(), ...others], undefined])
    }
  })

  it('that search cost what they ran, and all that they may where nobody can know', async () => {
    const feeOf = async (parts: readonly AnswerPart[], ...tools: Tool[]) => {
      const { scope } = await openScope({ limits: { cost: 1 } })
      const { model } = modelOf({
        doGenerate: async () => ({ ...(await answering().model.doGenerate(ASK)), content: [...parts] }),
      })
      await governedModel(scope, model).doGenerate({ ...ASK, tools })
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

  it('are counted without a limit too', async () => {
    const { scope } = await openScope()
    await governedModel(scope, eager().model).doGenerate({ ...ASK, tools: [search(2)] })
    expect((await scope.usage()).toolCalls.settled).toBe(2)
  })
})
