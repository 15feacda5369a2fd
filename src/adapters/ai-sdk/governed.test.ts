import { generateText, jsonSchema, Output, stepCountIs, streamText, ToolLoopAgent, tool } from 'ai'
import { generateText as generateText7, ToolLoopAgent as ToolLoopAgent7 } from 'ai7'
import { describe, expect, it } from 'vitest'
import { createScriptedLanguageModel } from '../../scripted/scripted-language-model.ts'
import type { Script } from '../../scripted/scripted-types.ts'
import { governed, resumeGoverned, runGoverned } from './index.ts'
import { openScope } from './model/model.fixture.ts'

const inputSchema = jsonSchema<{ path?: string }>({ type: 'object', properties: { path: { type: 'string' } } })
const tools = { read: tool({ inputSchema, execute: async ({ path }) => `[budget: 9 left] text of ${path}` }) }
const read = (path: string) => ({
  text: `Reading ${path}.`,
  toolCalls: [{ id: path, name: 'read', arguments: { path } }],
})
const endless: Script = function* () {
  for (let count = 1; ; count++) yield read(`file-${count}`)
}
const settings = { tools, system: 'You read.', stopWhen: stepCountIs(5), maxRetries: 0 }

const EXECUTION = (): 'execution' => 'execution'

describe('A14: without limits', () => {
  const script = [read('a'), read('b'), { text: 'All read.' }]

  it.each([3, 4])(
    'generateText sends the same requests byte for byte, and gives the same result (v%i)',
    async (version) => {
      const generate = (version === 3 ? generateText : generateText7) as typeof generateText
      const options = { specificationVersion: `v${version}` as 'v3' | 'v4' }
      const [bare, wrapped] = [
        createScriptedLanguageModel(script, options),
        createScriptedLanguageModel(script, options),
      ]
      const { scope } = await openScope()
      const expected = await generate({ ...settings, model: bare, prompt: 'go' })
      const actual = await generate({ ...governed(scope, { ...settings, model: wrapped }), prompt: 'go' })
      expect(JSON.stringify(wrapped.requests)).toBe(JSON.stringify(bare.requests))
      expect(JSON.stringify(actual.response.messages)).toBe(JSON.stringify(expected.response.messages))
      expect([actual.text, actual.totalUsage]).toEqual([expected.text, expected.totalUsage])
    },
  )

  it('streamText sends the same requests, and the same parts', async () => {
    const [bare, wrapped] = [createScriptedLanguageModel(script), createScriptedLanguageModel(script)]
    const { scope } = await openScope()
    const partsOf = async (model: typeof bare) => {
      const own = model === wrapped ? governed(scope, { ...settings, model }) : { ...settings, model }
      const parts: string[] = []
      for await (const part of streamText({ ...own, prompt: 'go' }).fullStream) {
        parts.push('text' in part ? part.text : part.type)
      }
      return parts
    }
    expect(await partsOf(wrapped)).toEqual(await partsOf(bare))
    expect(JSON.stringify(wrapped.requests)).toBe(JSON.stringify(bare.requests))
  })

  it('ToolLoopAgent keeps its own step limit, and runs tools that a limit would refuse', async () => {
    const { scope } = await openScope()
    const model = createScriptedLanguageModel(endless)
    await runGoverned(scope, new ToolLoopAgent(governed(scope, { model, tools })), 'go')
    expect(model.book).toHaveLength(20)
  })
})

describe('governed', () => {
  it('under a limit, the budget bounds the loop instead of the default number of steps', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 30 } })
    const model = createScriptedLanguageModel(endless)
    await runGoverned(scope, new ToolLoopAgent(governed(scope, { model, tools })), 'go')
    expect(model.book).toHaveLength(32)
  })

  it('respects the user’s own stopWhen', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 30 } })
    const model = createScriptedLanguageModel(endless)
    const agent = new ToolLoopAgent(governed(scope, { model, tools, stopWhen: stepCountIs(3) }))
    expect(await runGoverned(scope, agent, 'go')).toMatchObject({ status: 'completed' })
    expect(model.book).toHaveLength(3)
  })

  it('generateText ends with the closing answer, as its own result', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 2 } })
    const model = createScriptedLanguageModel(endless)
    const { text, finishReason } = await generateText({ ...governed(scope, { model, tools }), prompt: 'go' })
    expect([text, finishReason]).toEqual(['Reading file-4.', 'stop'])
  })

  it('without wrap-up a limit throws', async () => {
    for (const spec of [{ wrapUp: false }, {}]) {
      const { scope } = await openScope({ limits: { toolCalls: 1 }, ...spec })
      const model = createScriptedLanguageModel(endless)
      const own = governed(scope, { model, tools, ...('wrapUp' in spec ? {} : { wrapUp: false }) })
      await expect(generateText({ ...own, prompt: 'go' })).rejects.toMatchObject({ code: 'limit_exceeded' })
      expect(model.book).toHaveLength(2)
    }
  })

  it('governs the models from prepareStep and prepareCall', async () => {
    const { scope } = await openScope({ limits: { modelCalls: 10 } })
    const [main, other] = [createScriptedLanguageModel([read('a')]), createScriptedLanguageModel([{ text: 'done' }])]
    const own = governed(scope, {
      model: main,
      tools,
      prepareStep: async ({ stepNumber }: { stepNumber: number }) => (stepNumber === 0 ? undefined : { model: other }),
    })
    await generateText({ ...own, prompt: 'go' })
    expect((await scope.usage()).modelCalls.settled).toBe(2)
    const called = createScriptedLanguageModel([{ text: 'done' }])
    const agent = new ToolLoopAgent(
      governed(scope, { model: main, prepareCall: async (call: object) => ({ ...call, model: called }) }),
    )
    await agent.generate({ prompt: 'go' })
    expect((await scope.usage()).modelCalls.settled).toBe(3)
  })

  it.each([
    ['AI SDK 6', ToolLoopAgent, 'v3'],
    ['AI SDK 7', ToolLoopAgent7, 'v4'],
  ] as const)('governs the steps from prepareCall, and respects its stopWhen (%s)', async (_, Agent, version) => {
    const { scope } = await openScope({ limits: { modelCalls: 5 } })
    const options = { specificationVersion: version }
    const [model, other] = [
      createScriptedLanguageModel(endless, options),
      createScriptedLanguageModel(endless, options),
    ]
    const prepareCall = (call: object) => ({
      ...call,
      stopWhen: stepCountIs(30),
      prepareStep: () => ({ model: other }),
    })
    const agent = new (Agent as typeof ToolLoopAgent)(governed(scope, { model, tools, prepareCall }) as never)
    expect(await runGoverned(scope, agent, 'go')).toMatchObject({ status: 'limit-reached' })
    expect([model.book.length, other.book.length]).toEqual([0, 5])
    const second = await openScope({ limits: { modelCalls: 5 } })
    const cut = createScriptedLanguageModel(endless, options)
    const settings = { model: cut, tools, prepareCall: (call: object) => ({ ...call, stopWhen: stepCountIs(2) }) }
    const stopping = new (Agent as typeof ToolLoopAgent)(governed(second.scope, settings) as never)
    expect(await runGoverned(second.scope, stopping, 'go')).toMatchObject({ status: 'completed' })
    expect(cut.book).toHaveLength(2)
  })

  it('tools from prepareCall are treated as declared, with the budget tool next to them', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 5 } })
    const submit = tool({ inputSchema, execute: async () => 'ok' })
    const model = createScriptedLanguageModel([{ toolCalls: [{ name: 'submit', arguments: {} }] }, { text: 'more' }])
    const seen: unknown[] = []
    const prepareCall = (call: { tools?: object }) => {
      seen.push(Object.keys(call.tools ?? {}))
      return { ...call, tools: { ...tools, submit }, stopWhen: stepCountIs(9) }
    }
    const declare = { submit: { endsWork: true } }
    const settings = { model, tools, budgetTool: true, declare, prepareCall }
    await runGoverned(scope, new ToolLoopAgent(governed(scope, settings) as never), 'go')
    expect(seen).toEqual([['read', 'budget']])
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['read', 'submit', 'budget'])
    expect([model.book.length, (await scope.usage()).toolCalls.settled]).toEqual([1, 0])
  })

  it('refuses the declaration of a tool that prepareCall does not return either', async () => {
    const { scope } = await openScope()
    const settings = { model: createScriptedLanguageModel(endless), tools, declare: { raed: { changes: true } } }
    const agent = new ToolLoopAgent(governed(scope, { ...settings, prepareCall: (call: object) => call }) as never)
    const result = await runGoverned(scope, agent, 'go')
    expect([result.status, String(result.error)]).toEqual(['failed', expect.stringContaining('did you mean "read"')])
  })

  it('reused settings: what ended one generateText does not end the next', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 50 } })
    const submit = tool({ inputSchema, execute: async () => 'ok' })
    const submits = { toolCalls: [{ name: 'submit', arguments: {} }] }
    const model = createScriptedLanguageModel([submits, read('a'), { text: 'second answer' }])
    const own = governed(scope, { model, tools: { ...tools, submit }, declare: { submit: { endsWork: true } } })
    expect((await generateText({ ...own, prompt: 'one' })).steps).toHaveLength(1)
    expect((await generateText({ ...own, prompt: 'two' })).text).toBe('second answer')
  })

  it('two generateText calls at once: the one that ends its work does not end the other', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 50 } })
    const submit = tool({ inputSchema, execute: async () => 'ok' })
    const declare = { submit: { endsWork: true } }
    const settingsFor = (script: Script) =>
      governed(scope, { model: createScriptedLanguageModel(script), tools: { ...tools, submit }, declare })
    const [, other] = await Promise.all([
      generateText({ ...settingsFor([{ toolCalls: [{ name: 'submit', arguments: {} }] }]), prompt: 'one' }),
      generateText({ ...settingsFor([read('a'), read('b'), { text: 'both read' }]), prompt: 'two' }),
    ])
    expect(other.text).toBe('both read')
  })

  it('a callback that calls a model itself, on the same scope, does not affect the loop', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 1 }, onLimit: 'pause' })
    const side = createScriptedLanguageModel(function* () {
      for (;;) yield { text: 'aside' }
    })
    const ask = async () => {
      await generateText({ ...governed(scope, { model: side }), prompt: 'an aside' })
      return undefined
    }
    const callbacks = { prepareStep: ask, prepareCall: async (call: object) => (await ask()) ?? call }
    const model = createScriptedLanguageModel([read('a'), read('b')])
    const agent = new ToolLoopAgent(governed(scope, { model, tools, ...callbacks }) as never)
    const { status, partialOutput, messages } = await runGoverned(scope, agent, 'the task')
    expect([status, partialOutput]).toEqual(['paused', 'Reading b.'])
    expect(JSON.stringify(messages)).toContain('the task')
    expect(JSON.stringify(messages)).not.toContain('aside')
    expect(side.book).toHaveLength(3)
    const other = await openScope({ limits: { toolCalls: 9 } })
    const failing = createScriptedLanguageModel([read('a'), { error: { status: 400, message: 'no' } }])
    const onStepFinish = () => generateText({ ...governed(other.scope, { model: side }), prompt: 'an aside' })
    const own = governed(other.scope, { model: failing, tools, onStepFinish })
    const failed = await runGoverned(other.scope, new ToolLoopAgent(own as never), 'the task')
    expect([failed.partialOutput, side.book.length]).toEqual(['Reading a.', 4])
  })

  it('a step that returns its model counts on its phase', async () => {
    const { scope } = await openScope({ limits: { planningCost: 0.5 } })
    const model = createScriptedLanguageModel([{ text: 'x' }], { modelId: 'test-model' })
    const prepareStep = ({ model: given }: { model: unknown }) => ({ model: given })
    const own = governed(scope, { model, phase: () => 'planning', prepareStep })
    await generateText({ ...own, prompt: 'go' } as never)
    const { planningCost, cost } = await scope.usage()
    expect([cost.settled > 0, planningCost.settled]).toEqual([true, cost.settled])
  })

  it.each([
    [{ planningCost: 0.5 }, undefined, 20],
    [{ planningCost: 0.5 }, EXECUTION, 20],
    [{ planningCost: 0.5 }, 'planning' as const, 30],
    [{ executionCost: 0.5 }, undefined, 30],
    [{ planningCost: 0.5, executionCost: 0.5 }, EXECUTION, 30],
    [{ spawns: 2 }, undefined, 20],
  ])('a limit that does not count every step leaves the AI SDK’s own bound: %o, %s', async (limits, phase, steps) => {
    const { scope } = await openScope({ limits })
    const model = createScriptedLanguageModel(
      function* () {
        for (let count = 1; count <= 29; count++) yield read(`file-${count}`)
        yield { text: 'done' }
      },
      { modelId: 'test-model' },
    )
    const settings = { model, tools, maxOutputTokens: 100, ...(phase === undefined ? {} : { phase }) }
    await runGoverned(scope, new ToolLoopAgent(governed(scope, settings)), 'go')
    expect(model.book).toHaveLength(steps)
  })

  it('without a phase the model of the execution phase is used', async () => {
    const { scope } = await openScope({ limits: { executionCost: 0.5 } })
    const model = createScriptedLanguageModel([{ text: 'x' }], { modelId: 'test-model' })
    const execution = createScriptedLanguageModel([{ text: 'y' }], { modelId: 'test-model' })
    const { text } = await generateText({ ...governed(scope, { model, models: { execution } }), prompt: 'go' })
    expect([text, model.book.length, execution.book.length]).toEqual(['y', 0, 1])
  })

  it('does not replace another tool named budget', async () => {
    const { scope } = await openScope()
    const settings = { model: createScriptedLanguageModel(endless), budgetTool: true, tools: { budget: tools.read } }
    expect(() => governed(scope, settings)).toThrow('tools: { allowance: budgetTool(scope) }')
  })

  it('phases: a planning model and an execution model, each on its own cost meter, chosen for each step', async () => {
    const { scope } = await openScope({ limits: { planningCost: 0.5, executionCost: 0.3, cost: 1 } })
    const modelId = 'test-model'
    const planning = createScriptedLanguageModel([{ ...read('a'), usage: { inputTokens: 1_000, outputTokens: 0 } }], {
      modelId,
    })
    const execution = createScriptedLanguageModel([{ text: 'done', usage: { inputTokens: 2_000, outputTokens: 0 } }], {
      modelId,
    })
    const own = governed(scope, {
      model: execution,
      tools,
      models: { planning },
      phase: ({ stepNumber }) => (stepNumber === 0 ? 'planning' : 'execution'),
    })
    await generateText({ ...own, prompt: 'go' })
    const { planningCost, executionCost, cost } = await scope.usage()
    expect([planningCost.settled, executionCost.settled, cost.settled]).toEqual([1_000_000, 2_000_000, 3_000_000])
  })
})

describe('runGoverned', () => {
  it('returns a structured output, and a closing answer keeps its format', async () => {
    const schema = jsonSchema<{ files: number }>({ type: 'object', properties: { files: { type: 'number' } } })
    const output = Output.object({ schema })
    const whole = await openScope({ limits: { toolCalls: 5 } })
    const done = createScriptedLanguageModel([read('a'), { text: '{"files":1}' }])
    const agent = new ToolLoopAgent(governed(whole.scope, { model: done, tools, output }))
    expect(await runGoverned(whole.scope, agent, 'go')).toMatchObject({ status: 'completed', output: { files: 1 } })
    const { scope } = await openScope({ limits: { toolCalls: 0 } })
    const cut = createScriptedLanguageModel([read('a'), { text: 'no JSON' }])
    const short = new ToolLoopAgent(governed(scope, { model: cut, tools, output }))
    expect(await runGoverned(scope, short, 'go')).toMatchObject({
      status: 'limit-reached',
      output: null,
      partialOutput: 'no JSON',
    })
    expect(cut.requests.at(-1)?.responseFormat?.type).toBe('json')
  })

  it.each([false, true])('returns failures as data, and throws only on request (stream: %s)', async (stream) => {
    const { scope } = await openScope({ limits: { modelCalls: 5 } })
    const model = createScriptedLanguageModel([{ error: { status: 400, message: 'bad request' } }])
    const agent = new ToolLoopAgent(governed(scope, { model, maxRetries: 0, onError: () => {} }))
    const result = await runGoverned(scope, agent, { prompt: 'go', stream })
    expect(result).toMatchObject({ status: 'failed', resume: null, breach: null, partialOutput: null })
    expect(result.error).toMatchObject({ message: 'bad request' })
    const limited = await openScope({ limits: { toolCalls: 0 } })
    const loop = new ToolLoopAgent(governed(limited.scope, { model: createScriptedLanguageModel(endless), tools }))
    const thrown = runGoverned(limited.scope, loop, { prompt: 'go', stream }, { throws: true })
    await expect(thrown).rejects.toMatchObject({ code: 'limit_exceeded' })
  })

  it.each([false, true])('is stopped if its caller aborts it (stream: %s)', async (stream) => {
    const { scope } = await openScope({ limits: { modelCalls: 5 } })
    const controller = new AbortController()
    const stopping = tool({ inputSchema, execute: async () => controller.abort(new Error('enough')) })
    const agent = new ToolLoopAgent(
      governed(scope, { model: createScriptedLanguageModel(endless), tools: { read: stopping } }),
    )
    const result = await runGoverned(scope, agent, { prompt: 'go', abortSignal: controller.signal, stream })
    expect([result.status, result.partialOutput]).toEqual(['stopped', 'Reading file-1.'])
    expect((await scope.usage()).modelCalls).toMatchObject({ reserved: 0, held: 0 })
  })

  it('refuses an agent that was built without the scope', async () => {
    const { scope } = await openScope()
    const agent = new ToolLoopAgent({ model: createScriptedLanguageModel(endless) })
    await expect(runGoverned(scope, agent, 'go')).rejects.toThrow('governed(scope, …)')
  })

  it('passes on the parts of a stream', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 1 } })
    const agent = new ToolLoopAgent(governed(scope, { model: createScriptedLanguageModel(endless), tools }))
    const types = new Set<unknown>()
    await runGoverned(scope, agent, { prompt: 'go', stream: (part) => types.add((part as { type: string }).type) })
    expect([...types]).toEqual(
      expect.arrayContaining(['start-step', 'text-delta', 'tool-call', 'tool-result', 'finish']),
    )
  })

  it('refuses to continue with anything that an AI SDK loop did not save', async () => {
    const { scope } = await openScope()
    const agent = new ToolLoopAgent7(governed(scope, { model: createScriptedLanguageModel(endless) }) as never)
    await scope.pause({ conversation: ['from elsewhere'] })
    await expect(resumeGoverned(scope, agent)).rejects.toThrow('paused by runGoverned')
  })
})
