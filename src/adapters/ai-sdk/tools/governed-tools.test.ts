import { generateText, jsonSchema, stepCountIs, streamText, type Tool, ToolLoopAgent, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { createScriptedLanguageModel } from '../../../scripted/scripted-language-model.ts'
import { governed, runGoverned } from '../index.ts'
import { openScope } from '../model/model.fixture.ts'
import { budgetTool } from './budget-tool.ts'
import { governedTools } from './governed-tools.ts'

const inputSchema = jsonSchema<{ path?: string }>({ type: 'object', properties: {} })
const call = (name: string, id: string) => ({ name, arguments: {}, id })
const given = { toolCallId: '1', messages: [] }
// As the AI SDK calls it.
const execute = async (of: Tool | undefined, input: unknown = {}) => of?.execute?.(input as never, given)

describe('governedTools', () => {
  it('runs k of n, and refusals say what to do', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 1 } })
    const { read } = governedTools(scope, { read: tool({ inputSchema, execute: async () => ({ lines: 3 }) }) })
    const [first, second] = await Promise.allSettled([execute(read), execute(read)])
    expect(first).toMatchObject({ value: { lines: 3 } })
    expect(second).toMatchObject({ reason: { code: 'tool_refused', breach: { meter: 'toolCalls' } } })
    expect(String((second as PromiseRejectedResult).reason)).toContain('Do not try again; answer with what you have')
  })

  it('does not run a call after a person’s pause, and its result says so', async () => {
    const { scope } = await openScope()
    const { read } = governedTools(scope, { read: tool({ inputSchema, execute: async () => 'text' }) })
    await scope.pause({ by: 'ann' })
    const message = 'Not run: the run was paused. Once it resumes, call this again if you still need it.'
    await expect(execute(read)).rejects.toMatchObject({ code: 'tool_refused', message })
  })

  it('passes on the signal of the call, combined with the caller’s', async () => {
    const { scope } = await openScope()
    const controller = new AbortController()
    const seen: boolean[] = []
    const { read } = governedTools(scope, {
      read: tool({
        inputSchema,
        async execute(_, { abortSignal }) {
          seen.push(abortSignal!.aborted)
          controller.abort()
          seen.push(abortSignal!.aborted)
          return 'text'
        },
      }),
    })
    await read.execute?.({}, { ...given, abortSignal: controller.signal })
    expect(seen).toEqual([false, true])
  })

  it('leaves tools without execute, and all other properties, unchanged', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 1 } })
    const client = tool({ description: 'the person answers', inputSchema })
    const write = tool({ inputSchema, needsApproval: true, execute: async () => 'text' })
    const tools = governedTools(scope, { client, write })
    expect(tools.client).toBe(client)
    expect(tools.write).toMatchObject({ needsApproval: true, inputSchema })
    expect(governedTools(scope, tools).write).toBe(tools.write)
  })

  it('shows the preliminary results of a tool while it runs', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 1 } })
    const { build } = governedTools(scope, {
      build: tool({
        inputSchema,
        async *execute() {
          yield 'begun'
          yield 'done'
        },
      }),
    })
    const seen: unknown[] = []
    for await (const part of build.execute!({}, given) as AsyncIterable<unknown>) seen.push(part)
    expect(seen).toEqual(['begun', 'done'])
    const again = async () => {
      for await (const part of build.execute!({}, given) as AsyncIterable<unknown>) seen.push(part)
    }
    await expect(again()).rejects.toMatchObject({ code: 'tool_refused' })
    expect([seen.length, (await scope.usage()).toolCalls.settled]).toEqual([2, 1])
  })

  it('shows those of a function that returns them, if that is declared', async () => {
    const { scope } = await openScope()
    async function* progress() {
      yield 'begun'
      yield 'done'
    }
    const build = tool({ inputSchema, execute: (() => progress()) as never })
    const shown = async (declare: Record<string, { showsProgress: boolean }>) => {
      const model = createScriptedLanguageModel([{ toolCalls: [call('build', 'a')] }, { text: 'x' }])
      const own = governed(scope, { model, tools: { build }, declare, stopWhen: stepCountIs(5) })
      const results: unknown[] = []
      for await (const part of streamText({ ...own, prompt: 'go' }).fullStream)
        if (part.type === 'tool-result') results.push(part.output)
      return results
    }
    expect(await shown({ build: { showsProgress: true } })).toEqual(['begun', 'done', 'done'])
    expect(await shown({})).toEqual(['done'])
  })

  it('law 5: a tool that a scope above governs is called through the one below, once, as it was declared', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 20 } })
    const child = await scope.open({ name: 'child' })
    const parents = governedTools(
      scope,
      {
        submit: tool({ inputSchema, execute: async () => 'text' }),
        read: tool({ inputSchema, execute: async () => 1 }),
      },
      { declare: { submit: { endsWork: true } } },
    )
    const childs = governedTools(child, parents)
    await execute(childs.read)
    await execute(childs.submit)
    expect([(await scope.usage()).toolCalls.settled, (await child.usage()).toolCalls.settled]).toEqual([1, 1])
    const again = governedTools(scope, childs)
    await execute(again.read)
    expect([(await scope.usage()).toolCalls.settled, (await child.usage()).toolCalls.settled]).toEqual([2, 2])
    const replaced = governedTools(scope, { read: { ...parents.read, execute: async () => 2 } })
    expect([await execute(replaced.read), (await scope.usage()).toolCalls.settled]).toEqual([2, 3])
  })

  it('a tool that calls a model itself, on the same scope, does not affect its loop', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 1 }, onLimit: 'pause' })
    const side = createScriptedLanguageModel([{ text: 'a summary' }])
    const summarize = tool({
      inputSchema,
      execute: async () => (await generateText({ ...governed(scope, { model: side }), prompt: 'sum up' })).text,
    })
    const script = [{ text: 'Well.', toolCalls: [call('summarize', 'a')] }, { toolCalls: [call('summarize', 'b')] }]
    const agent = new ToolLoopAgent(
      governed(scope, { model: createScriptedLanguageModel(script), tools: { summarize } }),
    )
    const result = await runGoverned(scope, agent, 'go')
    expect(result).toMatchObject({ status: 'paused', partialOutput: 'Well.' })
    expect(JSON.stringify(result.messages)).not.toContain('sum up')
    expect((await scope.usage()).modelCalls.settled).toBe(3)
  })

  it('refuses the declaration of a missing tool, with a suggestion', async () => {
    const { scope } = await openScope()
    const tools = { write: tool({ inputSchema, execute: async () => 'text' }) }
    expect(() => governedTools(scope, tools, { declare: { wriet: { changes: true } } })).toThrow('did you mean "write"')
  })

  it('a tool that awaits approval is neither run nor counted; approved, it is both', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 5 } })
    let ran = 0
    const tools = {
      write: tool({ inputSchema, needsApproval: true, execute: async () => `written ${++ran}` }),
    }
    const model = createScriptedLanguageModel([{ toolCalls: [call('write', 'a')] }, { text: 'done' }])
    const agent = new ToolLoopAgent(governed(scope, { model, tools }))
    const first = await agent.generate({ prompt: 'write' })
    expect([ran, (await scope.usage()).toolCalls.settled]).toEqual([0, 0])
    const request = first.content.find((part) => part.type === 'tool-approval-request')
    const approval = { type: 'tool-approval-response' as const, approvalId: request!.approvalId, approved: true }
    const messages = [
      { role: 'user' as const, content: 'write' },
      ...first.response.messages,
      { role: 'tool' as const, content: [approval] },
    ]
    const second = await agent.generate({ messages })
    expect([second.text, ran, (await scope.usage()).toolCalls.settled]).toEqual(['done', 1, 1])
  })

  it('a submission with invalid input may be corrected, even with no tool call left', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 0 } })
    const validate = (value: unknown) =>
      (value as { path?: unknown }).path === undefined
        ? { success: false as const, error: new Error('path is missing') }
        : { success: true as const, value: value as { path: string } }
    const strict = jsonSchema<{ path: string }>({ type: 'object', properties: {} }, { validate })
    const submit = tool({ inputSchema: strict, execute: async ({ path }) => path })
    const submits = (id: string, input: object) => ({ toolCalls: [{ name: 'submit', id, arguments: input }] })
    const model = createScriptedLanguageModel([submits('a', {}), submits('b', { path: 'x' }), { text: 'more' }])
    const settings = { model, tools: { submit }, declare: { submit: { endsWork: true } } }
    const result = await runGoverned(scope, new ToolLoopAgent(governed(scope, settings)), 'go')
    expect([result.status, model.book.length, result.usage.toolCalls.settled]).toEqual(['completed', 2, 0])
  })

  it('a forced tool keeps its format: it passes in the closing call, once, and a submission is accepted', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 1 } })
    const submitted: unknown[] = []
    const tools = {
      read: tool({ inputSchema, execute: async () => 'text' }),
      submit: tool({ inputSchema, execute: async (input) => submitted.push(input) }),
    }
    const model = createScriptedLanguageModel([
      { toolCalls: [call('read', 'a')] },
      { toolCalls: [call('read', 'b')] },
      { toolCalls: [call('submit', 'c')] },
      { toolCalls: [call('read', 'd')] },
    ])
    const settings = { model, tools, toolChoice: 'required' as const, declare: { submit: { endsWork: true } } }
    const result = await runGoverned(scope, new ToolLoopAgent(governed(scope, settings)), 'go')
    expect(result).toMatchObject({ status: 'limit-reached', breach: { meter: 'toolCalls' } })
    expect([submitted.length, model.book.length]).toEqual([1, 3])
    expect(model.book.at(-1)?.request.toolChoice).toBe('required')
  })
})

describe('budgetTool', () => {
  it('shows what is used and left on the path, and is not counted', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 5, cost: 1 } })
    const budget = budgetTool(scope)
    await scope.callTool({ name: 'read' }, () => 1)
    const shown = await execute(governedTools(scope, { budget }).budget, { action: 'status' })
    expect(shown).toBe('toolCalls: 1 of 5 used, 4 left\ncost: $0.00 of $1.00 used, $1.00 left')
    expect((await scope.usage()).toolCalls.settled).toBe(1)
  })

  it('asks a person for more, and grants nothing by itself', async () => {
    const { governor, scope } = await openScope({ limits: { toolCalls: 5, cost: 1 } })
    const budget = budgetTool(scope)
    const asked = await execute(budget, { action: 'request', meter: 'cost', amount: 0.5, reason: 'more files' })
    expect(asked).toBe('Asked for $0.50 more of cost. A person decides; continue with what you have.')
    expect(await governor.requests()).toMatchObject([{ meter: 'cost', asked: 500_000_000, reason: 'more files' }])
    expect((await scope.usage()).cost.limit).toBe(1_000_000_000)
    expect(await execute(budget, { action: 'request', meter: 'time', amount: 5 })).toContain('toolCalls, cost')
    expect(await execute(budget, { action: 'request', meter: 'toolCalls', amount: Number.NaN })).toContain('above 0')
  })

  it('counts an agent that does nothing but check its budget, after a while', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 2 } })
    const budget = budgetTool(scope)
    for (let time = 0; time < 30; time++) await execute(budget, { action: 'status' })
    expect((await scope.usage()).toolCalls.settled).toBe(2)
  })
})
