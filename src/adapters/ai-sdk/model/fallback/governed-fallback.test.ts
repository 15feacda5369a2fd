import { APICallError, generateText, jsonSchema, stepCountIs, streamText } from 'ai'
import { describe, expect, it } from 'vitest'
import { isLimitExceeded } from '../../../../core/index.ts'
import { createScriptedLanguageModel } from '../../../../scripted/scripted-language-model.ts'
import type { Script, ScriptedTurn } from '../../../../scripted/scripted-types.ts'
import { governed } from '../../governed.ts'
import { governedModel } from '../governed-model.ts'
import type { StreamPart } from '../language-model.ts'
import { ASK, modelOf, openScope } from '../model.fixture.ts'
import { type GovernedFallbackOptions, governedFallback, type ModelAttempt } from './governed-fallback.ts'

const BUSY: ScriptedTurn = { error: { status: 529, message: 'overloaded' } }
const GONE: ScriptedTurn = { error: { status: 404, message: 'no such model' } }
const scripted = (script: Script) => createScriptedLanguageModel(script, { modelId: 'test-model' })

const streamOf = (parts: readonly StreamPart[]) =>
  new ReadableStream<StreamPart>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })

async function stage(
  scripts: readonly (Script | ReturnType<typeof scripted>)[],
  limits: object = { tokens: '500k' },
  options: GovernedFallbackOptions = {},
) {
  const { scope } = await openScope({ limits, wrapUp: true })
  const attempts: ModelAttempt[] = []
  const models = scripts.map((script) => ('doStream' in script ? script : scripted(script)))
  const choices = models.map((model, place) => ({ model, name: `model-${place}` }))
  const onAttempt = (attempt: ModelAttempt) => attempts.push(attempt)
  const model = governedFallback(scope, choices, { onAttempt, ...options })
  const calls = async () => {
    const { modelCalls, tokens } = await scope.usage()
    return { settled: modelCalls.settled, reserved: tokens.reserved }
  }
  return { scope, model, models, attempts, calls }
}

describe('governedFallback', () => {
  it('tries the next model after a provider’s retries have failed, and stays there', async () => {
    const { model, models, attempts, calls } = await stage([
      [BUSY, BUSY, BUSY, { text: 'too late' }],
      [{ text: 'one' }, { text: 'two' }],
    ])
    expect((await generateText({ model, prompt: 'go' })).text).toBe('one')
    expect((await generateText({ model, prompt: 'go' })).text).toBe('two')
    expect(models.map(({ book }) => book.length)).toEqual([3, 2])
    expect(attempts.map(({ model: name, status, error }) => [name, status, error])).toEqual([
      ...[1, 2, 3].map(() => ['model-0', 'failed', 'overloaded']),
      ['model-1', 'answered', null],
      ['model-1', 'answered', null],
    ])
    expect(await calls()).toMatchObject({ reserved: 0 })
  })

  it('counts modelCalls only for the model that answers, however often the first was tried', async () => {
    const { model, models, scope } = await stage([[BUSY, BUSY, BUSY], [{ text: 'one' }]], { modelCalls: 2 })
    expect((await generateText({ model, prompt: 'go' })).text).toBe('one')
    expect(models.map(({ book }) => book.length)).toEqual([3, 1])
    expect((await scope.usage()).modelCalls).toMatchObject({ settled: 1, refused: 3 })
  })

  it('does not retry a model whose answer was lost: that may cost as much again', async () => {
    const { model, models, scope } = await stage([
      [{ error: { status: 504, message: 'gateway time-out' } }, { text: 'too late' }],
      [{ text: 'other' }],
    ])
    expect((await generateText({ model, prompt: 'go' })).text).toBe('other')
    expect(models[0]!.book).toHaveLength(1)
    expect((await scope.usage()).modelCalls).toMatchObject({ settled: 2, assumed: 1, refused: 0 })
  })

  it('continues if the address of the first is unusable', async () => {
    const { scope } = await openScope({ limits: { modelCalls: 1 } })
    const cause = new Error('bad port')
    const unusable = new APICallError({ message: 'bad port', url: '', requestBodyValues: {}, cause, isRetryable: true })
    const { model, sent } = modelOf({ doGenerate: () => Promise.reject(unusable) })
    const fallback = governedFallback(scope, [{ model }, { model: scripted([{ text: 'other' }]) }])
    expect((await generateText({ model: fallback, prompt: 'go' })).text).toBe('other')
    expect(sent).toHaveLength(1)
  })

  it('keeps a model that answers a retry', async () => {
    const { model, models } = await stage([[BUSY, { text: 'one' }], [{ text: 'other' }]])
    expect((await generateText({ model, prompt: 'go' })).text).toBe('one')
    expect(models[1]!.book).toEqual([])
  })

  it('does not retry a model that does not exist', async () => {
    const { model, models } = await stage([[GONE], [{ text: 'other' }]])
    expect((await generateText({ model, prompt: 'go' })).text).toBe('other')
    expect(models[0]!.book).toHaveLength(1)
  })

  it.each([400, 401, 402, 403, 413])(
    'tries no other model after status %d: it would fail the same way',
    async (status) => {
      const { model, models, attempts } = await stage([[{ error: { status, message: 'no' } }], [{ text: 'other' }]])
      await expect(generateText({ model, prompt: 'go' })).rejects.toThrow('no')
      expect(models[1]!.book).toEqual([])
      expect(attempts).toEqual([{ model: 'model-0', status: 'failed', error: 'no' }])
    },
  )

  it('leaves the retries of the last model to the loop', async () => {
    const { model, models } = await stage([[GONE], [BUSY, { text: 'late' }]])
    expect((await generateText({ model, prompt: 'go', maxRetries: 1 })).text).toBe('late')
    const { model: other, models: others } = await stage([[GONE], [BUSY, { text: 'late' }]])
    await expect(generateText({ model: other, prompt: 'go', maxRetries: 0 })).rejects.toThrow('overloaded')
    expect([models[0]!.book.length, others[1]!.book.length]).toEqual([1, 1])
  })

  it('H5: tries no other model after a limit', async () => {
    const { scope, model, models, attempts } = await stage([[{ text: 'one' }], [{ text: 'other' }]], { modelCalls: 1 })
    await generateText({ model, prompt: 'go' })
    const refused = await generateText({ model, prompt: 'go', maxRetries: 0 }).catch((error: unknown) => error)
    expect(isLimitExceeded(refused)).toBe(true)
    expect([models[1]!.book.length, attempts.length, (await scope.usage()).modelCalls.settled]).toEqual([0, 1, 1])
  })

  it('H5: a closing call that fails is not made by another model', async () => {
    const call: ScriptedTurn = { toolCalls: [{ name: 'read', arguments: {} }] }
    const looping: Script = [call, call, BUSY, BUSY, BUSY]
    const { scope, model, models } = await stage([looping, [{ text: 'other' }]], { toolCalls: 1 })
    const read = { inputSchema: jsonSchema<object>({ type: 'object' }), execute: async () => 'text' }
    const settings = governed(scope, {
      model,
      tools: { read } as never,
      stopWhen: stepCountIs(5),
      maxRetries: 0,
      prompt: 'go',
    })
    const end = await generateText(settings as never).catch((error: unknown) => error)
    expect(APICallError.isInstance(end) || isLimitExceeded(end)).toBe(true)
    expect(models.map(({ book }) => book.length)).toEqual([3, 0])
  })

  it('tries no other model after a refusal by our own gateway, which is a limit too', async () => {
    const refusal = (status: number) =>
      new APICallError({
        message: 'limit',
        url: '',
        requestBodyValues: {},
        statusCode: status,
        responseHeaders: { 'X-Stint-Scope': 'run' },
      })
    for (const status of [402, 429]) {
      const { model } = modelOf({ doGenerate: () => Promise.reject(refusal(status)) })
      const { scope } = await openScope({})
      const other = scripted([{ text: 'other' }])
      const fallback = governedFallback(scope, [{ model }, { model: other }])
      await expect(fallback.doGenerate(ASK)).rejects.toThrow('limit')
      expect(other.book).toEqual([])
    }
  })

  it('tries no other model once it was aborted, not even after a wait', async () => {
    const controller = new AbortController()
    const waiting = modelOf({
      doGenerate: () =>
        Promise.reject(
          new APICallError({
            message: 'slow down',
            url: '',
            requestBodyValues: {},
            statusCode: 429,
            responseHeaders: { 'retry-after': '30' },
          }),
        ),
    })
    const { scope } = await openScope({})
    const other = scripted([{ text: 'other' }])
    const fallback = governedFallback(scope, [{ model: waiting.model }, { model: other }], {
      onAttempt: () => queueMicrotask(() => controller.abort(new Error('called off'))),
    })
    await expect(fallback.doGenerate({ ...ASK, abortSignal: controller.signal })).rejects.toThrow('called off')
    expect([waiting.sent.length, other.book.length]).toEqual([1, 0])
  })

  it('C7: stops waiting when the time of its scope is up, and reports the limit', async () => {
    const { scope, clock } = await openScope({ limits: { time: '10s' } })
    const slowDown = new APICallError({
      message: 'slow down',
      url: '',
      requestBodyValues: {},
      statusCode: 429,
      responseHeaders: { 'retry-after': '50' },
    })
    const busy = modelOf({ doGenerate: () => Promise.reject(slowDown) })
    const other = scripted([{ text: 'other' }])
    const fallback = governedFallback(scope, [{ model: busy.model }, { model: other }], {
      onAttempt: () => void clock.advance(11_000),
    })
    const end = await fallback.doGenerate(ASK).then(null, (error: unknown) => error)
    expect(isLimitExceeded(end)).toBe(true)
    expect([busy.sent.length, other.book.length]).toEqual([1, 0])
  })

  it.each([false, true])('tries the next one if a stream fails before its first content (governed: %s)', async (is) => {
    const failing = modelOf({
      doStream: async () => ({
        stream: streamOf([
          { type: 'stream-start', warnings: [] },
          {
            type: 'error',
            error: new APICallError({ message: 'busy', url: '', requestBodyValues: {}, statusCode: 529 }),
          },
        ]),
      }),
    })
    const { scope } = await openScope({ limits: { tokens: '500k' } })
    const other = scripted([{ text: 'a whole answer of the other' }])
    const first = is ? governedModel(scope, failing.model) : failing.model
    const fallback = governedFallback(scope, [{ model: first }, { model: other }], { retries: 0 })
    const { textStream } = streamText({ model: fallback, prompt: 'go' })
    let text = ''
    for await (const part of textStream) text += part
    expect(text).toBe('a whole answer of the other')
    expect((await scope.usage()).tokens.reserved).toBe(0)
  })

  it('never tries another after the first byte of an answer', async () => {
    const breaking = modelOf({
      doStream: async () => ({
        stream: streamOf([
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: 'half' },
          {
            type: 'error',
            error: new APICallError({ message: 'cut', url: '', requestBodyValues: {}, statusCode: 529 }),
          },
        ]),
      }),
    })
    const { scope } = await openScope({})
    const other = scripted([{ text: 'other' }])
    const fallback = governedFallback(scope, [{ model: breaking.model }, { model: other }], { retries: 0 })
    const { stream } = await fallback.doStream(ASK)
    const types: string[] = []
    for await (const part of stream as unknown as AsyncIterable<{ type: string }>) types.push(part.type)
    expect(types).toEqual(['text-start', 'text-delta', 'error'])
    expect(other.book).toEqual([])
  })

  it('gives each model its own options, overridden by those of the call', async () => {
    const { scope } = await openScope({})
    const first = scripted([GONE])
    const second = scripted([{ text: 'x' }])
    const fallback = governedFallback(scope, [
      { model: first, providerOptions: { one: { level: 1, more: true } } },
      { model: second, providerOptions: { two: { level: 2 } } },
    ])
    await generateText({ model: fallback, prompt: 'go', providerOptions: { one: { level: 9 } } })
    expect([first, second].map(({ requests }) => requests[0]!.providerOptions)).toEqual([
      { one: { level: 9, more: true } },
      { one: { level: 9 }, two: { level: 2 } },
    ])
  })

  it('is governed once, even inside governed()', async () => {
    const { scope, model, calls } = await stage([[{ text: 'one' }]])
    await generateText(governed(scope, { model, prompt: 'go' }) as never)
    expect(await calls()).toEqual({ settled: 1, reserved: 0 })
  })

  it('refuses an empty list', async () => {
    const { scope } = await openScope({})
    expect(() => governedFallback(scope, [])).toThrow('at least one')
  })
})
