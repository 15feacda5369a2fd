import { APICallError, generateText } from 'ai'
import { describe, expect, it, vi } from 'vitest'
import { isLimitExceeded } from '../../../core/index.ts'
import { settleDown } from '../../../governor/fixtures/governor.fixture.ts'
import { createScriptedLanguageModel } from '../../../scripted/scripted-language-model.ts'
import { governedModel } from './governed-model.ts'
import { ASK, answering, FINISH, fedStream, modelOf, openScope, readAll } from './model.fixture.ts'

const TEXT = [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'hel' },
] as const

const tokensOf = async (scope: Awaited<ReturnType<typeof openScope>>['scope']) => {
  const { tokens, outputTokens, modelCalls } = await scope.usage()
  return { settled: tokens.settled, output: outputTokens.settled, calls: modelCalls.settled, reserved: tokens.reserved }
}

describe('governedModel', () => {
  it('bounds its own hints by their bytes too if the input is strict', async () => {
    const { scope } = await openScope({ limits: { tokens: 100_000 } })
    let reserved = 0
    const { model, sent } = modelOf({
      async doGenerate() {
        reserved = (await scope.usage()).tokens.reserved
        return answering().model.doGenerate(ASK)
      },
    })
    await governedModel(scope, model, { hints: true, input: 'strict' }).doGenerate({ ...ASK, maxOutputTokens: 10 })
    const [line, hello] = sent[0]!.prompt
    expect(line).toMatchObject({ role: 'system', content: scope.promptLine() })
    expect(hello).toEqual(ASK.prompt[0])
    expect(reserved).toBeGreaterThanOrEqual(Buffer.byteLength(`${scope.promptLine()}hello`) + 10)
  })

  it('settles the usage of the answer', async () => {
    const { scope } = await openScope({ limits: { tokens: '50k' } })
    const { model, sent } = answering()
    await governedModel(scope, model).doGenerate({ ...ASK, maxOutputTokens: 100 })
    expect(await tokensOf(scope)).toEqual({ settled: 15, output: 5, calls: 1, reserved: 0 })
    expect(sent[0]?.maxOutputTokens).toBe(100)
  })

  it('sends a cap if a limit counts output and the request has none', async () => {
    const { scope } = await openScope({ limits: { tokens: '50k' } })
    const { model, sent } = answering()
    await governedModel(scope, model).doGenerate(ASK)
    expect(sent[0]?.maxOutputTokens).toBe(16_384)
    const free = await openScope({ limits: { toolCalls: 5 } })
    await governedModel(free.scope, model).doGenerate(ASK)
    expect(sent[1]?.maxOutputTokens).toBe(undefined)
  })

  it('D2: cuts the cap to what is left, and refuses below the least useful amount', async () => {
    const { scope } = await openScope({ limits: { tokens: 1_000 } })
    const { model, sent } = answering()
    await governedModel(scope, model).doGenerate({ ...ASK, maxOutputTokens: 5_000 })
    expect(sent[0]?.maxOutputTokens).toBeLessThan(1_000)
    const spent = await scope.reserve({ tokens: 800 })
    if (spent.kind === 'granted') await spent.settle()
    const refused = await Promise.resolve(governedModel(scope, model).doGenerate(ASK)).catch((error) => error)
    expect(isLimitExceeded(refused, scope.id)).toBe(true)
    expect(sent).toHaveLength(1)
  })

  it('D9: shrinks the thinking budget with the cap, and keeps it below the cap', async () => {
    const { scope } = await openScope({ limits: { tokens: 9_000 } })
    const { model, sent } = answering()
    const thinking = { type: 'enabled', budgetTokens: 31_999 }
    await governedModel(scope, model).doGenerate({
      ...ASK,
      maxOutputTokens: 1,
      providerOptions: { anthropic: { thinking } },
    })
    const { maxOutputTokens = 0, providerOptions } = sent[0]!
    const { budgetTokens: budget } = providerOptions!.anthropic!.thinking as unknown as typeof thinking
    expect(budget).toBe(7_999)
    expect(maxOutputTokens).toBeGreaterThanOrEqual(256)
    expect(maxOutputTokens + budget).toBeLessThan(9_000)
  })

  it('counts the next prompt exactly up to the last answer', async () => {
    const { scope } = await openScope({ limits: { tokens: 100_000 } })
    const usage = { ...FINISH_USAGE, inputTokens: { ...FINISH_USAGE.inputTokens, total: 40_000, noCache: 40_000 } }
    const { model } = answering('done', usage)
    const governed = governedModel(scope, model)
    await governed.doGenerate({ ...ASK, maxOutputTokens: 10 })
    let reserved = 0
    const watching = governedModel(
      scope,
      modelOf({
        async doGenerate(options) {
          reserved = (await scope.usage()).tokens.reserved
          return model.doGenerate(options)
        },
      }).model,
    )
    const next = { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'done' }] }
    await watching.doGenerate({ prompt: [...ASK.prompt, next, ...ASK.prompt], maxOutputTokens: 10 })
    expect(reserved).toBeGreaterThan(40_005)
    expect(reserved).toBeLessThan(40_100)
  })

  it('a retry of the AI SDK has its own reservation, and a refused request is not a model call', async () => {
    const { scope } = await openScope({ limits: { modelCalls: 1, tokens: '50k' } })
    const overloaded = { error: { status: 529, message: 'overloaded' } }
    const model = createScriptedLanguageModel([overloaded, overloaded, { text: 'done' }])
    const reservations = new Set<string>()
    const { text } = await generateText({ model: governedModel(scope, model), prompt: 'hi', maxRetries: 2 })
    for (const { headers } of model.requests) reservations.add(headers?.['x-stint-reservation'] ?? '')
    expect([text, reservations.size]).toEqual(['done', 3])
    const { modelCalls, tokens } = await scope.usage()
    expect(modelCalls).toMatchObject({ settled: 1, reserved: 0, refused: 2 })
    expect(tokens.settled).toBeLessThan(100)
  })

  it('a port that fetch blocks is not retried, and costs nothing', async () => {
    const { scope } = await openScope({ limits: { modelCalls: 1 } })
    const blocked = () => {
      const cause = new Error('bad port')
      const message = 'Cannot connect to API: bad port'
      return Promise.reject(new APICallError({ message, url: '', requestBodyValues: {}, cause, isRetryable: true }))
    }
    const { model, sent } = modelOf({ doGenerate: blocked })
    await expect(generateText({ model: governedModel(scope, model), prompt: 'hi' })).rejects.toThrow('bad port')
    expect(sent).toHaveLength(1)
    expect((await scope.usage()).modelCalls).toMatchObject({ settled: 0, reserved: 0, refused: 0 })
  })

  it('a stream that breaks off during its answer is assumed', async () => {
    const { scope } = await openScope({ limits: { outputTokens: 10_000 } })
    const { model } = modelOf({
      doStream: async () => ({
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: 'text-start', id: '1' })
            controller.enqueue({ type: 'text-delta', id: '1', delta: 'half' })
            controller.close()
          },
        }),
      }),
    })
    const { stream } = await governedModel(scope, model).doStream({ ...ASK, maxOutputTokens: 500 })
    for await (const _ of stream as unknown as AsyncIterable<unknown>);
    expect((await scope.usage()).outputTokens).toMatchObject({ settled: 500, assumed: 500 })
  })

  it('an error that may have cost money is charged at the worst case, for each attempt', async () => {
    const { scope } = await openScope({ limits: { outputTokens: 10_000 } })
    const broken = new APICallError({
      message: 'reset',
      url: '',
      requestBodyValues: {},
      isRetryable: true,
      responseHeaders: { 'retry-after-ms': '1' },
    })
    const { model } = modelOf({ doGenerate: () => Promise.reject(broken) })
    const run = generateText({
      model: governedModel(scope, model),
      prompt: 'hi',
      maxRetries: 2,
      maxOutputTokens: 1_000,
    })
    await expect(run).rejects.toThrow('Failed after 3 attempts')
    expect(await tokensOf(scope)).toMatchObject({ output: 3_000, calls: 3 })
  })

  it('a refusal ends the loop immediately, and is not retried', async () => {
    const { scope } = await openScope({ limits: { modelCalls: 1 } })
    const { model, sent } = answering()
    const governed = governedModel(scope, model)
    await generateText({ model: governed, prompt: 'hi' })
    const refused = await generateText({ model: governed, prompt: 'hi' }).catch((error) => error)
    expect(isLimitExceeded(refused)).toBe(true)
    expect(sent).toHaveLength(1)
  })

  it('makes no closing call unless configured to, whatever the scope was opened with', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 0 }, wrapUp: true })
    const { model, sent } = answering()
    const governed = governedModel(scope, model)
    await scope.callTool({ name: 'read' }, () => 1)
    await expect(governed.doGenerate(ASK)).rejects.toMatchObject({ code: 'limit_exceeded' })
    expect(sent).toHaveLength(0)
    await governedModel(scope, model, { wrapUp: true }).doGenerate(ASK)
    expect(sent).toHaveLength(1)
  })

  it('a hint stays the same in every request that repeats its tool result', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 4 } })
    const { model, sent } = answering()
    const governed = governedModel(scope, model, { hints: true })
    const output = { type: 'json' as const, value: { lines: 3 } }
    const result = { type: 'tool-result' as const, toolCallId: '1', toolName: 'read', output }
    const call = { type: 'tool-call' as const, toolCallId: '1', toolName: 'read', input: {} }
    const prompt = [
      ...ASK.prompt,
      { role: 'assistant' as const, content: [call] },
      { role: 'tool' as const, content: [result] },
    ]
    for (let time = 0; time < 2; time++) {
      await scope.callTool({ name: 'read' }, () => 1)
      await governed.doGenerate({ prompt })
    }
    const hint = '{"lines":3}\n\n[budget: 3 of 4 tool calls left — wrap up soon]'
    const seen = sent.map((options) => options.prompt.at(-1))
    expect(seen).toMatchObject([1, 2].map(() => ({ content: [{ output: { type: 'text', value: hint } }] })))
  })

  it('the caller can cancel one that waits for room, and nothing is sent or charged', async () => {
    const { scope } = await openScope({ limits: { tokens: 1_000 } })
    const taken = await scope.reserve({ tokens: 900 })
    const { model, sent } = answering()
    const controller = new AbortController()
    const call = Promise.resolve(governedModel(scope, model).doGenerate({ ...ASK, abortSignal: controller.signal }))
    await settleDown()
    controller.abort(new Error('gone'))
    await expect(call).rejects.toThrow('gone')
    if (taken.kind === 'granted') await taken.release()
    await settleDown()
    expect(sent).toHaveLength(0)
    expect(await tokensOf(scope)).toEqual({ settled: 0, output: 0, calls: 0, reserved: 0 })
  })

  it('impossible usage is charged at the worst case, and reported', async () => {
    const { governor, scope } = await openScope({ limits: { outputTokens: 10_000 } })
    const told: string[] = []
    governor.on('usage_anomaly', ({ event }) => void told.push(event))
    const usage = { ...FINISH_USAGE, outputTokens: { total: -5, text: 0, reasoning: 0 } }
    await governedModel(scope, answering('x', usage).model).doGenerate({ ...ASK, maxOutputTokens: 700 })
    await settleDown()
    expect([(await scope.usage()).outputTokens.settled, told]).toEqual([700, ['usage_anomaly']])
  })

  it('wraps a model once per scope, however often it is called', async () => {
    const { scope } = await openScope({ limits: { modelCalls: 5 } })
    const once = governedModel(scope, answering().model)
    expect(governedModel(scope, once)).toBe(once)
    await generateText({ model: governedModel(scope, once), prompt: 'hi' })
    expect((await scope.usage()).modelCalls.settled).toBe(1)
  })

  it('a model governed by a scope above is governed by the one below, and counts once on both', async () => {
    const { scope } = await openScope({ limits: { modelCalls: 5 } })
    const child = await scope.open({ name: 'child' })
    const ofParent = governedModel(scope, answering().model)
    const ofChild = governedModel(child, ofParent)
    await ofChild.doGenerate(ASK)
    const callsOf = async ({ usage }: typeof scope) => (await usage()).modelCalls.settled
    expect([await callsOf(scope), await callsOf(child)]).toEqual([1, 1])
    // The child's spending counts on its parent anyway.
    expect(governedModel(scope, ofChild)).toBe(ofChild)
    await ofParent.doGenerate(ASK)
    expect([await callsOf(scope), await callsOf(child)]).toEqual([2, 1])
  })

  it('a model governed by an unrelated scope is charged to both', async () => {
    const { governor, scope } = await openScope()
    const stranger = await governor.open({ name: 'stranger' })
    await governedModel(scope, governedModel(stranger, answering().model)).doGenerate(ASK)
    expect([await tokensOf(scope), await tokensOf(stranger)]).toMatchObject([{ settled: 15 }, { settled: 15 }])
  })

  it('A14: without limits, text that looks like our placeholder stays unchanged', async () => {
    const { model, sent } = answering()
    const prompt = [{ role: 'system' as const, content: 'Fill in {budget}.' }, ...ASK.prompt]
    const { scope } = await openScope()
    await governedModel(scope, model, { hints: true }).doGenerate({ prompt })
    const limited = await openScope({ limits: { toolCalls: 2 } })
    await governedModel(limited.scope, model, { hints: true }).doGenerate({ prompt })
    expect(sent.map(({ prompt: [system] }) => system?.content)).toEqual([
      'Fill in {budget}.',
      expect.stringMatching(/^Fill in Tool budget: you have 2 tool calls/),
    ])
  })

  it('refuses anything but a model', async () => {
    const { scope } = await openScope()
    expect(() => governedModel(scope, {} as never)).toThrow('a language model of the AI SDK')
  })
})

const FINISH_USAGE = (FINISH as Extract<typeof FINISH, { type: 'finish' }>).usage

describe('governedModel, streaming', () => {
  const stage = async () => {
    const { scope, governor } = await openScope({ limits: { outputTokens: 10_000 } })
    const source = fedStream()
    const { model } = modelOf({ doStream: async () => ({ stream: source.stream }) })
    const governed = governedModel(scope, model)
    const start = (more = {}) => governed.doStream({ ...ASK, maxOutputTokens: 1_000, ...more })
    return { scope, governor, start, ...source }
  }

  it('settles before the stream reports its end', async () => {
    const { scope, start, controller } = await stage()
    const { stream } = await start()
    for (const part of [...TEXT, FINISH]) controller.enqueue(part)
    controller.close()
    const parts = await readAll(stream)
    expect(parts).toEqual([...TEXT, FINISH])
    expect(await tokensOf(scope)).toMatchObject({ output: 5, calls: 1 })
    expect((await scope.usage()).outputTokens.reserved).toBe(0)
  })

  it('an error before the first chunk releases the room, and is reported once', async () => {
    const { scope } = await openScope({ limits: { outputTokens: 10_000 } })
    const error = new APICallError({ message: 'no', url: '', requestBodyValues: {}, statusCode: 400 })
    const { model } = modelOf({ doStream: () => Promise.reject(error) })
    await expect(governedModel(scope, model).doStream(ASK)).rejects.toThrow('no')
    expect((await scope.usage()).outputTokens).toMatchObject({ settled: 0, reserved: 0 })
    const { start, controller, scope: other } = await stage()
    const { stream } = await start()
    controller.enqueue({ type: 'stream-start', warnings: [] })
    controller.enqueue({ type: 'error', error })
    controller.close()
    expect(await readAll(stream)).toEqual([
      { type: 'stream-start', warnings: [] },
      { type: 'error', error },
    ])
    expect((await other.usage()).outputTokens).toMatchObject({ settled: 0, reserved: 0 })
  })

  it('an error mid-stream is charged at the worst case, and reaches the reader', async () => {
    const { scope, start, controller } = await stage()
    const { stream } = await start()
    for (const part of TEXT) controller.enqueue(part)
    // The status no longer proves anything: the provider has begun to answer.
    controller.error(new APICallError({ message: 'cut', url: '', requestBodyValues: {}, statusCode: 529 }))
    await expect(readAll(stream)).rejects.toThrow('cut')
    expect((await scope.usage()).outputTokens).toMatchObject({ settled: 1_000, reserved: 0 })
  })

  it('a reader that stops reading has no effect: the answer is read to its end and settled', async () => {
    const { scope, start, controller } = await stage()
    const { stream } = await start()
    for (const part of TEXT) controller.enqueue(part)
    const reader = stream.getReader()
    await reader.read()
    await reader.cancel()
    controller.enqueue(FINISH)
    controller.close()
    await settleDown()
    expect((await scope.usage()).outputTokens).toMatchObject({ settled: 5, reserved: 0 })
  })

  it('a stream without a reader is settled too', async () => {
    const { scope, start, controller } = await stage()
    await start()
    for (const part of [...TEXT, FINISH]) controller.enqueue(part)
    controller.close()
    await settleDown()
    expect((await scope.usage()).outputTokens).toMatchObject({ settled: 5, reserved: 0 })
  })

  it('an abort ends it immediately, even if the provider ignores it', async () => {
    const abort = new AbortController()
    const { scope, start, controller, isCancelled } = await stage()
    const { stream } = await start({ abortSignal: abort.signal })
    controller.enqueue(TEXT[0])
    const reading = readAll(stream)
    await settleDown()
    abort.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
    expect(isCancelled()).toBe(true)
    expect((await scope.usage()).outputTokens).toMatchObject({ settled: 1_000, reserved: 0 })
  })

  it('a scope that is stopped ends the stream, which is charged once', async () => {
    const { scope, start, controller } = await stage()
    const { stream } = await start()
    controller.enqueue(TEXT[0])
    const reading = readAll(stream)
    await settleDown()
    await scope.stop('by ann')
    await expect(reading).rejects.toThrow()
    expect((await scope.usage()).outputTokens).toMatchObject({ settled: 1_000, reserved: 0 })
  })

  it('a stream without a reader that does not end is abandoned after a while, at the worst case', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { scope, start, controller, isCancelled } = await stage()
      const { stream } = await start()
      controller.enqueue(TEXT[0])
      await stream.cancel()
      await settleDown()
      expect((await scope.usage()).outputTokens.reserved).toBe(1_000)
      await vi.advanceTimersByTimeAsync(10_000)
      await settleDown()
      expect(isCancelled()).toBe(true)
      expect((await scope.usage()).outputTokens).toMatchObject({ settled: 1_000, reserved: 0 })
    } finally {
      vi.useRealTimers()
    }
  })

  it('an answer cut by a time limit continues as the closing answer in the same stream', async () => {
    const { clock, scope } = await openScope({ limits: { time: '60s' } })
    const [work, closing] = [fedStream(), fedStream()]
    const sources = [work, closing]
    const { model, sent } = modelOf({ doStream: async () => ({ stream: sources.shift()!.stream }) })
    const { stream } = await governedModel(scope, model, { wrapUp: true }).doStream({ ...ASK, tools: [A_TOOL] })
    const reading = readAll(stream)
    for (const part of TEXT) work.controller.enqueue(part)
    await settleDown()
    await clock.advance(54_000)
    await settleDown()
    for (const part of [START, { ...TEXT[0], id: '2' }, { ...TEXT[1], id: '2' }, END_2, FINISH]) {
      closing.controller.enqueue(part)
    }
    closing.controller.close()
    expect((await reading).map((part) => ('id' in part ? `${part.type} ${part.id}` : part.type))).toEqual([
      'text-start 1',
      'text-delta 1',
      'text-end 1',
      'text-start 2',
      'text-delta 2',
      'text-end 2',
      'finish',
    ])
    expect([work.isCancelled(), sent[1]?.toolChoice]).toEqual([true, { type: 'none' }])
    expect((await scope.usage()).modelCalls).toMatchObject({ settled: 2, reserved: 0 })
  })
})

const START = { type: 'stream-start' as const, warnings: [] }
const END_2 = { type: 'text-end', id: '2' } as const
const A_TOOL = { type: 'function' as const, name: 'read', inputSchema: { type: 'object' as const } }
