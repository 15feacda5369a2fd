import { generateText, jsonSchema, Output, stepCountIs, ToolLoopAgent, tool } from 'ai'
import { ToolLoopAgent as ToolLoopAgent7 } from 'ai7'
import { describe, expect, it, vi } from 'vitest'
import { createPair } from '../../../governor/fixtures/governor-pair.fixture.ts'
import { createScriptedLanguageModel } from '../../../scripted/scripted-language-model.ts'
import type { Script } from '../../../scripted/scripted-types.ts'
import { governed, resumeGoverned, runGoverned } from '../index.ts'
import { openScope } from '../model/model.fixture.ts'

const inputSchema = jsonSchema<{ path?: string }>({ type: 'object', properties: { path: { type: 'string' } } })
const reads = (...paths: string[]) => ({
  text: `Reading ${paths}.`,
  toolCalls: paths.map((path) => ({ id: path, name: 'read', arguments: { path } })),
})
const readTool = (ran: unknown[] = [], resultOf: (path: unknown) => unknown = (path) => `text of ${path}`) =>
  tool({
    inputSchema,
    execute: async ({ path }) => {
      ran.push(path)
      return resultOf(path)
    },
  })
const PAUSE_AT = (max: number) => ({ limits: { toolCalls: { max, action: 'pause' as const } } })
const VERSIONS = [
  ['AI SDK 6', ToolLoopAgent, 'v3', false],
  ['AI SDK 6, streaming', ToolLoopAgent, 'v3', true],
  ['AI SDK 7', ToolLoopAgent7 as unknown as typeof ToolLoopAgent, 'v4', false],
  ['AI SDK 7, streaming', ToolLoopAgent7 as unknown as typeof ToolLoopAgent, 'v4', true],
] as const

describe('a paused run', () => {
  it.each(VERSIONS)(
    'that its own stopWhen ended keeps the step before it: no tool runs twice (%s)',
    async (_, Agent, version, stream) => {
      const { scope } = await openScope(PAUSE_AT(2))
      const ran: unknown[] = []
      const model = createScriptedLanguageModel([reads('a', 'b', 'c'), { text: 'end' }], {
        specificationVersion: version,
      })
      const agent = new Agent(governed(scope, { model, tools: { read: readTool(ran) }, stopWhen: stepCountIs(1) }))
      const first = await runGoverned(scope, agent, { prompt: 'go', stream })
      expect(first.status).toBe('paused')
      await scope.setLimits({ toolCalls: 10 })
      expect(await first.resume!()).toMatchObject({ status: 'completed', output: 'end' })
      expect(ran).toEqual(['a', 'b'])
      expect(JSON.stringify(model.requests[1]?.prompt)).toContain('text of a')
      expect(JSON.stringify(model.requests[1]?.prompt)).toContain('Refused, not run')
    },
  )

  it('continues with tool results and images unchanged, whatever they look like', async () => {
    const { scope } = await openScope(PAUSE_AT(1))
    const result = { $url: 'no address', list: [{ $bytes: 'AAAA' }] }
    const model = createScriptedLanguageModel([reads('a'), reads('b'), { text: 'end' }])
    const tools = { read: readTool([], (path) => (path === 'a' ? { $url: 'no address' } : result)) }
    const agent = new ToolLoopAgent(governed(scope, { model, tools, hints: false }))
    const image = { type: 'image' as const, image: new Uint8Array([1, 2, 3]).buffer, mediaType: 'image/png' }
    const paused = await runGoverned(scope, agent, { messages: [{ role: 'user', content: [image] }] })
    await scope.setLimits({ toolCalls: 10 })
    expect(await paused.resume!()).toMatchObject({ status: 'completed' })
    const [before, after] = [model.requests[1]!.prompt, model.requests[2]!.prompt]
    expect(JSON.stringify(after.slice(0, before.length))).toBe(JSON.stringify(before))
    expect(JSON.stringify(after)).toContain('{"$url":"no address"}')
  })

  it('stays paused, with its document, if that cannot be read', async () => {
    const { scope } = await openScope()
    const agent = new ToolLoopAgent(governed(scope, { model: createScriptedLanguageModel([]) }))
    const foreign = {
      format: 'ai-sdk/1',
      runs: [{ name: '1', promptLine: null, hints: [], messages: [{ $url: 'x' }] }],
    }
    for (const document of [['from elsewhere'], foreign]) {
      await scope.pause({ conversation: document })
      await expect(resumeGoverned(scope, agent)).rejects.toThrow('paused by runGoverned')
      expect(scope.status()).toBe('paused')
      expect(await scope.resume()).toEqual(document)
    }
  })

  it('is not continued by an agent that was built without the scope', async () => {
    const { governor, scope } = await openScope(PAUSE_AT(0))
    const agent = new ToolLoopAgent(
      governed(scope, { model: createScriptedLanguageModel([reads('a')]), tools: { read: readTool() } }),
    )
    await runGoverned(scope, agent, 'go')
    const other = await governor.open({ name: 'other' })
    await other.pause({ conversation: {} })
    await expect(resumeGoverned(other, agent)).rejects.toThrow('governed(scope, …)')
    expect(other.status()).toBe('paused')
  })

  it('that a person paused before its tools, and its own stopWhen ended, continues with them', async () => {
    const { scope } = await openScope()
    const ran: unknown[] = []
    const scripted = createScriptedLanguageModel([reads('a'), reads('a'), { text: 'end' }])
    const doGenerate: typeof scripted.doGenerate = async (options) => {
      const answer = await scripted.doGenerate(options)
      if (scripted.book.length === 1) await scope.pause({ by: 'ann' })
      return answer
    }
    const model = { ...scripted, doGenerate }
    const agent = new ToolLoopAgent(
      governed(scope, { model, tools: { read: readTool(ran) }, stopWhen: stepCountIs(1) }),
    )
    const paused = await runGoverned(scope, agent, 'go')
    expect([paused.status, ran]).toEqual(['paused', []])
    expect(await paused.resume!()).toMatchObject({ status: 'completed' })
    expect(ran).toEqual(['a'])
  })

  it('that an invalid tool call caused continues, and the call is counted once', async () => {
    const { scope } = await openScope(PAUSE_AT(1))
    const wrong = { text: 'Reading.', toolCalls: [{ id: 'x', name: 'reed', arguments: {} }] }
    const model = createScriptedLanguageModel([
      wrong,
      { ...wrong, toolCalls: [{ ...wrong.toolCalls[0]!, id: 'y' }] },
      { text: 'end' },
    ])
    const agent = new ToolLoopAgent(governed(scope, { model, tools: { read: readTool() } }))
    const paused = await runGoverned(scope, agent, 'go')
    expect(paused).toMatchObject({ status: 'paused', breach: { meter: 'toolCalls' } })
    expect((await scope.usage()).toolCalls.settled).toBe(1)
    await scope.setLimits({ toolCalls: 9 })
    expect(await paused.resume!()).toMatchObject({ status: 'completed', output: 'end' })
  })

  it('is not lost if another process starts another run on its scope', async () => {
    const { ours, theirs } = createPair()
    const scope = await ours.open({ name: 'run', ...PAUSE_AT(0) })
    const agentOn = (on: typeof scope, model: ReturnType<typeof createScriptedLanguageModel>) =>
      new ToolLoopAgent(governed(on, { model, tools: { read: readTool() } }))
    await runGoverned(scope, agentOn(scope, createScriptedLanguageModel([reads('a')])), 'the first task')
    const found = (await theirs.find(scope.id))!
    const other = runGoverned(found, agentOn(found, createScriptedLanguageModel([])), 'the second')
    await expect(other).rejects.toMatchObject({ code: 'scope_paused' })
    await found.setLimits({ toolCalls: 5 })
    const model = createScriptedLanguageModel([{ text: 'end' }])
    await resumeGoverned(found, agentOn(found, model), { run: '1' })
    expect(JSON.stringify(model.requests)).toContain('the first task')
  })

  it('lets a caller that stores conversations choose which one to continue with, even after a crash', async () => {
    const { dead, ours, theirs } = createPair()
    const scope = await ours.open({ name: 'run' })
    dead.add('ours')
    const found = (await theirs.find(scope.id))!
    const model = createScriptedLanguageModel([{ text: 'end' }])
    const agent = new ToolLoopAgent(governed(found, { model }))
    const kept = [{ role: 'user', content: 'what was kept' }]
    const seen: unknown[] = []
    const conversation = (saved: readonly unknown[] | null) => {
      seen.push(saved)
      return kept
    }
    const result = await resumeGoverned(found, agent, { conversation })
    expect([result.status, seen]).toEqual(['completed', [null]])
    expect(JSON.stringify(model.requests)).toContain('what was kept')
  })

  it('is claimed before anything is spent, and is paused again if that fails', async () => {
    const { scope } = await openScope(PAUSE_AT(0))
    const model = createScriptedLanguageModel([reads('a'), reads('a'), { text: 'end' }])
    const paused = await runGoverned(
      scope,
      new ToolLoopAgent(governed(scope, { model, tools: { read: readTool() } })),
      'go',
    )
    const onClaimed = async (): Promise<void> => {
      throw new Error('not now')
    }
    await expect(paused.resume!({ onClaimed })).rejects.toThrow('not now')
    expect([scope.status(), model.book.length]).toEqual(['paused', 1])
    const result = await paused.resume!({ onClaimed: () => scope.setLimits({ toolCalls: 5 }) })
    expect(result).toMatchObject({ status: 'completed', output: 'end' })
  })

  it('continues with its original settings', async () => {
    const { scope } = await openScope(PAUSE_AT(0))
    const model = createScriptedLanguageModel([reads('a'), { text: 'end' }])
    const seen: unknown[] = []
    const prepareCall = (call: { options?: unknown }) => {
      seen.push(call.options)
      return call
    }
    const agent = new ToolLoopAgent(governed(scope, { model, tools: { read: readTool() }, prepareCall }) as never)
    const paused = await runGoverned(scope, agent, { prompt: 'go', options: { user: 'ann' } })
    await scope.setLimits({ toolCalls: 5 })
    await paused.resume!()
    expect(seen).toEqual([{ user: 'ann' }, { user: 'ann' }])
  })
})

describe('two runs on one scope', () => {
  const agentOf = (scope: Parameters<typeof governed>[0], script: Script, more: object = {}) => {
    const model = createScriptedLanguageModel(script)
    return { model, agent: new ToolLoopAgent(governed(scope, { model, tools: { read: readTool() }, ...more })) }
  }
  const readsFour = (name: string): Script =>
    function* () {
      for (let count = 1; count <= 4; count++) yield reads(`${name}${count}`)
      for (;;) yield { text: `end of ${name}` }
    }

  it('each end separately, and the scope closes with the last one', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 50 } })
    const [a, b] = [agentOf(scope, [{ text: 'short' }]), agentOf(scope, readsFour('b'))]
    const results = await Promise.all([runGoverned(scope, a.agent, 'A'), runGoverned(scope, b.agent, 'B')])
    expect(results.map(({ status, output }) => [status, output])).toEqual([
      ['completed', 'short'],
      ['completed', 'end of b'],
    ])
    expect(results.map(({ run }) => run)).toEqual(['1', '2'])
    expect(scope.status()).toBe('completed')
  })

  it('one that a limit ended is not completed because another started', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 1 } })
    const later = agentOf(scope, readsFour('b'))
    let other: Promise<unknown> | null = null
    const onStepFinish = ({ toolCalls }: { toolCalls: readonly unknown[] }) => {
      if (toolCalls.length === 0) other = runGoverned(scope, later.agent, 'B')
    }
    const { agent } = agentOf(scope, readsFour('a'), { onStepFinish })
    expect(await runGoverned(scope, agent, 'A')).toMatchObject({
      status: 'limit-reached',
      breach: { meter: 'toolCalls' },
    })
    expect(await other).toMatchObject({ status: 'limit-reached' })
    expect(scope.status()).toBe('limit-reached')
  })

  it('both pause, and each continues with its own conversation, once', async () => {
    const { scope } = await openScope(PAUSE_AT(3))
    const [a, b] = [agentOf(scope, readsFour('a')), agentOf(scope, readsFour('b'))]
    const [x, y] = await Promise.all([runGoverned(scope, a.agent, 'task A'), runGoverned(scope, b.agent, 'task B')])
    expect([x.status, y.status]).toEqual(['paused', 'paused'])
    await scope.setLimits({ toolCalls: 30 })
    await expect(resumeGoverned(scope, a.agent)).rejects.toThrow('one of the paused runs: "1", "2"')
    expect(scope.status()).toBe('paused')
    const asked = b.model.requests.length
    const tries = await Promise.allSettled([y.resume!(), y.resume!()])
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(JSON.stringify(b.model.requests[asked]?.prompt)).toContain('task B')
    expect(scope.status()).toBe('paused')
    expect(await resumeGoverned(scope, a.agent, { run: x.run })).toMatchObject({ output: 'end of a' })
    expect(scope.status()).toBe('completed')
    await expect(x.resume!()).rejects.toThrow()
  })

  it('one that waits for an approval does not delay the other', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 50 } })
    const write = tool({ inputSchema, needsApproval: true, execute: async () => 'written' })
    const asks = [{ toolCalls: [{ id: 'w', name: 'write', arguments: {} }] }, { text: 'done' }]
    const [a, b] = [agentOf(scope, asks, { tools: { write } }), agentOf(scope, readsFour('b'))]
    const [x, y] = await Promise.all([runGoverned(scope, a.agent, 'A'), runGoverned(scope, b.agent, 'B')])
    expect([x.status, y.status, scope.status()]).toEqual(['paused', 'completed', 'paused'])
  })
})

describe('a run that waits for an approval', () => {
  it.each(VERSIONS)('is paused, and continues with the answer (%s)', async (_, Agent, version, stream) => {
    for (const approved of [true, false]) {
      const { scope } = await openScope({ limits: { toolCalls: 5 } })
      const ran: unknown[] = []
      const read = { ...readTool(ran), needsApproval: true }
      const model = createScriptedLanguageModel([reads('a'), { text: 'end' }], { specificationVersion: version })
      const agent = new Agent(governed(scope, { model, tools: { read } }))
      const paused = await runGoverned(scope, agent, { prompt: 'go', stream })
      expect(paused).toMatchObject({
        status: 'paused',
        breach: null,
        approvals: [{ toolName: 'read', input: { path: 'a' } }],
      })
      expect(scope.status()).toBe('paused')
      await expect(paused.resume!()).rejects.toThrow('tool-approval-response')
      expect(scope.status()).toBe('paused')
      const answer = { type: 'tool-approval-response', approvalId: paused.approvals[0]!.approvalId, approved }
      const result = await paused.resume!({ messages: [{ role: 'tool', content: [answer] }] })
      expect(result).toMatchObject({ status: 'completed', output: 'end', approvals: [] })
      expect([ran, (await scope.usage()).toolCalls.settled]).toEqual(approved ? [['a'], 1] : [[], 0])
    }
  })

  it.each(VERSIONS)(
    'runs an approved call once, even if a limit pauses it right after (%s)',
    async (_, Agent, version, stream) => {
      const { scope } = await openScope({ limits: { modelCalls: { max: 1, action: 'pause' } } })
      const ran: unknown[] = []
      const read = { ...readTool(ran), needsApproval: true }
      const model = createScriptedLanguageModel([reads('a'), { text: 'end' }], { specificationVersion: version })
      const agent = new Agent(governed(scope, { model, tools: { read } }))
      const asking = await runGoverned(scope, agent, { prompt: 'go', stream })
      const answer = { type: 'tool-approval-response', approvalId: asking.approvals[0]!.approvalId, approved: true }
      const paused = await asking.resume!({ messages: [{ role: 'tool', content: [answer] }] })
      expect(paused).toMatchObject({ status: 'paused', breach: { meter: 'modelCalls' }, approvals: [] })
      await scope.setLimits({ modelCalls: 5 })
      expect(await paused.resume!()).toMatchObject({ status: 'completed', output: 'end' })
      expect(ran).toEqual(['a'])
    },
  )

  it('returns the messages with which the AI SDK itself can continue', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 5 } })
    const read = { ...readTool(), needsApproval: true }
    const settings = governed(scope, {
      model: createScriptedLanguageModel([reads('a'), { text: 'end' }]),
      tools: { read },
    })
    const { messages, approvals } = await runGoverned(scope, new ToolLoopAgent(settings), 'go')
    const { approvalId } = approvals[0]!
    await scope.resume()
    const answer = {
      role: 'tool' as const,
      content: [{ type: 'tool-approval-response' as const, approvalId, approved: true }],
    }
    const { text } = await generateText({ ...settings, messages: [...(messages as never[]), answer] })
    expect(text).toBe('end')
  })
})

describe('the status of a run', () => {
  const OVERLOADED = { error: { status: 503, message: 'overloaded' } }

  it.each(VERSIONS)(
    'a person’s pause after a 503 has paused it, whatever wraps the error (%s)',
    async (_, Agent, version, stream) => {
      const { scope } = await openScope({ limits: { modelCalls: 9 } })
      const model = createScriptedLanguageModel(
        function* () {
          void scope.pause({ by: 'ann' })
          yield OVERLOADED
          yield { text: 'end' }
        },
        { specificationVersion: version },
      )
      const printed = vi.spyOn(console, 'error')
      const paused = await runGoverned(scope, new Agent(governed(scope, { model })), { prompt: 'go', stream })
      expect([paused.status, paused.error]).toEqual(['paused', null])
      expect(await paused.resume!()).toMatchObject({ status: 'completed', output: 'end' })
      expect(printed).not.toHaveBeenCalled()
      printed.mockRestore()
    },
  )

  it.each(VERSIONS)('a limit reached by a retry has ended it (%s)', async (_, Agent, version, stream) => {
    const { scope } = await openScope({ limits: { modelCalls: 1 } })
    const model = createScriptedLanguageModel([OVERLOADED], { specificationVersion: version })
    const agent = new Agent(governed(scope, { model, onError: () => {} }))
    const result = await runGoverned(scope, agent, { prompt: 'go', stream })
    expect(result).toMatchObject({ status: 'limit-reached', breach: { meter: 'modelCalls' }, error: null })
    expect(scope.status()).toBe('limit-reached')
  })

  it.each(VERSIONS)('an unreadable structured output has failed it (%s)', async (_, Agent, version, stream) => {
    const { scope } = await openScope({ limits: { toolCalls: 5 } })
    const model = createScriptedLanguageModel([{ text: 'no json' }], { specificationVersion: version })
    const output = Output.object({ schema: jsonSchema({ type: 'object', properties: { files: { type: 'number' } } }) })
    const agent = new Agent(governed(scope, { model, output, onError: () => {} }) as never)
    const result = await runGoverned(scope, agent, { prompt: 'go', stream })
    expect(result).toMatchObject({ status: 'failed', output: null, partialOutput: 'no json' })
    expect(result.error).toMatchObject({ name: 'AI_NoObjectGeneratedError' })
  })

  it.each([
    [400, false],
    [400, true],
    [503, false],
    [503, true],
  ])('a closing call that fails (%i, stream: %s) does not change the status from the limit', async (status, stream) => {
    const { scope } = await openScope({ limits: { toolCalls: 1 } })
    const failing = { error: { status, message: 'no' } }
    const model = createScriptedLanguageModel([reads('a'), reads('b'), failing, failing, failing])
    const settings = { model, tools: { read: readTool() }, maxRetries: 0, onError: () => {} }
    const result = await runGoverned(scope, new ToolLoopAgent(governed(scope, settings)), { prompt: 'go', stream })
    expect(result).toMatchObject({
      status: 'limit-reached',
      partialOutput: 'Reading b.',
      breach: { meter: 'toolCalls' },
    })
    expect(String(result.error)).toContain('no')
  })

  it.each(VERSIONS)(
    'an error that a callback throws after a pause is not a pause: no tool runs twice (%s)',
    async (_, Agent, version, stream) => {
      const { scope } = await openScope(PAUSE_AT(1))
      const ran: unknown[] = []
      const model = createScriptedLanguageModel([reads('a', 'b'), { text: 'end' }], { specificationVersion: version })
      const onPart = ({ type }: { type?: string }) => {
        if (type === 'tool-error') throw new Error('screen is gone')
      }
      const prepareStep = ({ stepNumber }: { stepNumber: number }) => {
        if (stepNumber === 1) throw new Error('screen is gone')
        return undefined
      }
      const agent = new Agent(
        governed(scope, { model, tools: { read: readTool(ran) }, prepareStep, onError: () => {} }),
      )
      const result = await runGoverned(scope, agent, { prompt: 'go', ...(stream ? { stream: onPart as never } : {}) })
      expect([result.status, String(result.error), ran]).toEqual(['failed', 'Error: screen is gone', ['a']])
    },
  )

  it.each([
    ['called off', (_scope: unknown, caller: AbortController) => caller.abort()],
    ['stopped', (scope: { stop(): Promise<void> }) => void scope.stop()],
  ])('at a limit stays so if it is %s during its closing call', async (_, end) => {
    const { scope } = await openScope({ limits: { toolCalls: 1 } })
    const caller = new AbortController()
    const scripted = createScriptedLanguageModel([reads('a'), reads('b'), { text: 'closing' }])
    const doGenerate: typeof scripted.doGenerate = async (options) => {
      const answer = await scripted.doGenerate(options)
      if (scripted.book.length < 3) return answer
      end(scope, caller)
      throw new DOMException('aborted', 'AbortError')
    }
    const model = { ...scripted, doGenerate }
    const agent = new ToolLoopAgent(governed(scope, { model, tools: { read: readTool() }, maxRetries: 0 }))
    const result = await runGoverned(scope, agent, { prompt: 'go', abortSignal: caller.signal })
    expect([result.status, scope.status()]).toEqual(['limit-reached', 'limit-reached'])
  })

  it('a call that fails after a raise has failed', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 1 } })
    const model = createScriptedLanguageModel([reads('a', 'b'), { error: { status: 400, message: 'no' } }])
    const read = readTool([])
    const prepareStep = async ({ stepNumber }: { stepNumber: number }) => {
      if (stepNumber === 1) await scope.setLimits({ toolCalls: 9 })
      return undefined
    }
    const agent = new ToolLoopAgent(governed(scope, { model, tools: { read }, maxRetries: 0, prepareStep }))
    expect(await runGoverned(scope, agent, 'go')).toMatchObject({ status: 'failed', breach: null })
  })

  it('an unsafe boundary of one run is not reported for the next', async () => {
    const { clock, scope } = await openScope()
    const hangs = () => clock.advance(2_000).then(() => new Promise<string>(() => {}))
    const model = createScriptedLanguageModel([reads('a'), { text: 'one' }, { text: 'two' }])
    const declare = { read: { changes: true, timeoutMs: 1_000 } }
    const agent = new ToolLoopAgent(governed(scope, { model, tools: { read: readTool([], hangs) }, declare }))
    const first = await runGoverned(scope, agent, 'go', { close: false })
    const second = await runGoverned(scope, agent, 'go')
    expect([first.mayBeHalfDone, second.mayBeHalfDone]).toEqual([true, false])
  })
})
