import { APICallError, generateText } from 'ai'
import { describe, expect, it } from 'vitest'
import { isLimitExceeded } from '../../../core/index.ts'
import { createScriptedLanguageModel } from '../../../scripted/scripted-language-model.ts'
import { governedModel } from './governed-model.ts'
import type { StreamPart } from './language-model.ts'
import { ASK, answering, FINISH, fedStream, modelOf, openScope, readAll } from './model.fixture.ts'

async function atItsLimit() {
  const { scope } = await openScope({ limits: { toolCalls: 0 } })
  await scope.callTool({ name: 'read' }, () => 1)
  return scope
}

describe('a closing call', () => {
  it('is made again at the next limit after a raise', async () => {
    const scope = await atItsLimit()
    const { model, sent } = answering()
    const governed = governedModel(scope, model, { wrapUp: true })
    const choices = () => sent.map(({ toolChoice }) => toolChoice?.type ?? 'auto')
    const asked = {
      ...ASK,
      tools: [{ type: 'function' as const, name: 'read', inputSchema: { type: 'object' as const } }],
    }
    await governed.doGenerate(asked)
    await scope.setLimits({ toolCalls: 1 })
    await governed.doGenerate(asked)
    for (let time = 0; time < 2; time++) await scope.callTool({ name: 'read' }, () => 1)
    await governed.doGenerate(asked)
    expect(choices()).toEqual(['none', 'auto', 'none'])
  })

  it('streams provider-run calls, and none of the calls that it may not make', async () => {
    const call = { toolCallId: 'own', toolName: 'read', input: '{}' }
    const searched = { type: 'tool-result', toolCallId: 'search', toolName: 'search', result: {} }
    const parts = [
      { type: 'tool-input-start', id: 'search', toolName: 'search', providerExecuted: true },
      { type: 'tool-input-end', id: 'search' },
      { ...call, type: 'tool-call', toolCallId: 'search', toolName: 'search', providerExecuted: true },
      searched,
      { type: 'tool-input-start', id: 'own', toolName: 'read' },
      { type: 'tool-input-delta', id: 'own', delta: '{}' },
      { type: 'tool-input-end', id: 'own' },
      { type: 'tool-call', ...call },
      FINISH,
    ] as StreamPart[]
    const source = fedStream()
    const { model } = modelOf({ doStream: async () => ({ stream: source.stream }) })
    for (const part of parts) source.controller.enqueue(part)
    source.controller.close()
    const { stream } = await governedModel(await atItsLimit(), model, { wrapUp: true }).doStream(ASK)
    expect(await readAll(stream)).toEqual([...parts.slice(0, 4), FINISH])
  })
})

describe('an answer with a lowered cap', () => {
  const asked = { ...ASK, maxOutputTokens: 4_000 }
  const parts = (text: string, reason: 'stop' | 'length'): StreamPart[] => [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: text },
    { type: 'text-end', id: 't' },
    { ...FINISH, finishReason: { unified: reason, raw: reason } } as StreamPart,
  ]

  async function streaming(outputTokens: number, ...answers: readonly StreamPart[][]) {
    const opened = await openScope({ limits: { outputTokens } })
    const sources = answers.map(() => fedStream())
    let asked = 0
    const { model, sent } = modelOf({ doStream: async () => ({ stream: sources[asked++]!.stream }) })
    const feed = (place: number, some: readonly StreamPart[]) => {
      for (const part of some) sources[place]!.controller.enqueue(part)
    }
    const end = (place: number) => sources[place]!.controller.close()
    return { ...opened, sources, sent, feed, end, governed: governedModel(opened.scope, model, { wrapUp: true }) }
  }

  it('is not replaced for a reader that has left', async () => {
    const cut = parts('half of', 'length')
    const { governed, scope, sent, feed, end } = await streaming(1_600, cut, parts('closing', 'stop'))
    feed(0, cut.slice(0, 3))
    const { stream } = await governed.doStream(asked)
    await stream.cancel()
    feed(0, cut.slice(3))
    end(0)
    await expect.poll(async () => (await scope.usage()).outputTokens.reserved).toBe(0)
    expect(sent).toHaveLength(1)
  })

  it('is streamed from its first part at the end if it might have been cut but was not', async () => {
    const answer = parts('whole', 'stop')
    const { governed, sent, feed, end } = await streaming(1_600, answer)
    const { stream } = await governed.doStream(asked)
    const reader = stream.getReader()
    let isRead = false
    const first = reader.read().finally(() => {
      isRead = true
    })
    feed(0, answer.slice(0, 3))
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(isRead).toBe(false)
    feed(0, answer.slice(3))
    end(0)
    const read = [(await first).value]
    for (let at = await reader.read(); !at.done; at = await reader.read()) read.push(at.value)
    expect(read).toEqual(answer)
    expect(sent).toHaveLength(1)
  })

  it('is streamed as it arrives if there is room for a long one, and stays unchanged even if it was cut', async () => {
    const answer = parts('begun', 'length')
    const { governed, sent, feed, end } = await streaming(30_000, answer)
    const { stream } = await governed.doStream({ ...ASK, maxOutputTokens: 40_000 })
    feed(0, answer.slice(0, 3))
    const reader = stream.getReader()
    for (const part of answer.slice(0, 3)) expect((await reader.read()).value).toEqual(part)
    feed(0, answer.slice(3))
    end(0)
    for (const part of answer.slice(3)) expect((await reader.read()).value).toEqual(part)
    expect(sent[0]!.maxOutputTokens).toBeLessThan(40_000)
    expect(sent).toHaveLength(1)
  })

  it('is replaced by the closing answer if it was cut', async () => {
    const [cut, closing] = [parts('a lot of', 'length'), parts('in short', 'stop')]
    const { governed, sent, feed, end } = await streaming(1_600, cut, closing)
    const { stream } = await governed.doStream(asked)
    feed(0, cut)
    end(0)
    feed(1, closing)
    end(1)
    expect(await readAll(stream)).toEqual(closing)
    expect(sent).toHaveLength(2)
  })

  it('is passed on unchanged if it calls a tool', async () => {
    const call: StreamPart = { type: 'tool-call', toolCallId: 'own', toolName: 'read', input: '{}' }
    const cut = parts('a lot of', 'length').toSpliced(4, 0, call)
    const { governed, sent, feed, end } = await streaming(1_600, cut, parts('in short', 'stop'))
    const { stream } = await governed.doStream(asked)
    feed(0, cut)
    end(0)
    expect(await readAll(stream)).toEqual(cut)
    expect(sent).toHaveLength(1)
  })

  it.each([
    ['is replaced where a limit has lowered the cap', 1_600, 2],
    ['stays as it is where none has, though the cap was not its own', 100_000, 1],
  ])('%s, without a stream', async (_, outputTokens, calls) => {
    const { scope } = await openScope({ limits: { outputTokens } })
    const { model, sent } = modelOf({
      doGenerate: async () => ({
        content: [{ type: 'text', text: sent.length === 1 ? 'a lot of' : 'in short' }],
        finishReason: { unified: sent.length === 1 ? 'length' : 'stop', raw: '' },
        usage: { inputTokens: {}, outputTokens: { total: 100 } } as never,
        warnings: [],
      }),
    })
    const { content } = await governedModel(scope, model, { wrapUp: true }).doGenerate(ASK)
    expect(content).toEqual([{ type: 'text', text: calls === 1 ? 'a lot of' : 'in short' }])
    expect(sent).toHaveLength(calls)
  })

  it('is passed on unchanged if the closing call fails', async () => {
    const cut = parts('a lot of', 'length')
    const { governed, feed, end } = await streaming(1_600, cut)
    const { stream } = await governed.doStream(asked)
    feed(0, cut)
    end(0)
    expect(await readAll(stream)).toEqual(cut)
  })
})

describe('a closing call that fails', () => {
  it.each([
    new Error('socket hang up'),
    new APICallError({ message: 'bad request', url: '', requestBodyValues: {}, statusCode: 400 }),
  ])('still ends the run by the limit, with the failure as its cause: %s', async (cause) => {
    for (const method of ['doGenerate', 'doStream'] as const) {
      const { model } = modelOf({ [method]: () => Promise.reject(cause) })
      const governed = governedModel(await atItsLimit(), model, { wrapUp: true })
      const error = await Promise.resolve(governed[method](ASK)).catch((thrown: unknown) => thrown)
      expect([isLimitExceeded(error), (error as Error).cause]).toEqual([true, cause])
    }
  })

  it('is retried by the AI SDK if allowed', async () => {
    const overloaded = { error: { status: 503, message: 'overloaded' } }
    const model = createScriptedLanguageModel([overloaded, { text: 'closing' }])
    const governed = governedModel(await atItsLimit(), model, { wrapUp: true })
    const { text } = await generateText({ model: governed, prompt: 'go' })
    expect([text, model.book.length]).toEqual(['closing', 2])
  })

  it('does not count as a limit if its caller went away', async () => {
    const controller = new AbortController()
    const gone = new Error('gone')
    const { model } = modelOf({
      doGenerate() {
        controller.abort(gone)
        return Promise.reject(gone)
      },
    })
    const governed = governedModel(await atItsLimit(), model, { wrapUp: true })
    await expect(governed.doGenerate({ ...ASK, abortSignal: controller.signal })).rejects.toBe(gone)
  })
})
