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
  it('is made again after a raise, at the next limit', async () => {
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

  it('streams what the provider ran for it, and none of the calls that it may not make', async () => {
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

describe('a closing call that fails', () => {
  it.each([
    new Error('socket hang up'),
    new APICallError({ message: 'bad request', url: '', requestBodyValues: {}, statusCode: 400 }),
  ])('is the end that the limit made, with what went wrong as its cause: %s', async (cause) => {
    for (const method of ['doGenerate', 'doStream'] as const) {
      const { model } = modelOf({ [method]: () => Promise.reject(cause) })
      const governed = governedModel(await atItsLimit(), model, { wrapUp: true })
      const error = await Promise.resolve(governed[method](ASK)).catch((thrown: unknown) => thrown)
      expect([isLimitExceeded(error), (error as Error).cause]).toEqual([true, cause])
    }
  })

  it('is tried again by the AI SDK where it may be', async () => {
    const overloaded = { error: { status: 503, message: 'overloaded' } }
    const model = createScriptedLanguageModel([overloaded, { text: 'closing' }])
    const governed = governedModel(await atItsLimit(), model, { wrapUp: true })
    const { text } = await generateText({ model: governed, prompt: 'go' })
    expect([text, model.book.length]).toEqual(['closing', 2])
  })

  it('is nobody’s limit where its caller went away', async () => {
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
