import { describe, expect, it } from 'vitest'
import { isLimitExceeded } from '../../../core/index.ts'
import { estimateEdited, estimatePrompt } from '../../../loop/prompt/prompt-estimate.ts'
import { createTokenMarks } from '../../../loop/prompt/token-marks.ts'
import { editRequest } from './edit-request.ts'
import { governedModel } from './governed-model.ts'
import type { CallOptions } from './language-model.ts'
import { answering, openScope } from './model.fixture.ts'
import { modelRequest } from './model-request.ts'
import type { ModelSettings } from './model-settings.ts'
import type { TokenCountRequest } from './token-count-request.ts'

// 20 kB of prose: 4,000 tokens for the provider of these tests, and more than 5,000 by any careful estimate.
const TEXT = 'Plain words that say next to nothing of any use. '.repeat(410)
const LONG: CallOptions = { prompt: [{ role: 'user', content: [{ type: 'text', text: TEXT }] }], maxOutputTokens: 300 }
const COUNTED = 4_000
const MODEL = { provider: 'test', modelId: 'test-model' }

async function ask(tokens: number, settings: ModelSettings, asked: CallOptions = LONG) {
  const opened = await openScope({ limits: { tokens } })
  const { model, sent } = answering()
  const end = Promise.resolve(governedModel(opened.scope, model, settings).doGenerate(asked)).then(
    () => 'answered',
    (error: unknown) => (isLimitExceeded(error) ? 'refused' : error),
  )
  return { ...opened, end, sent }
}

function counting(count: (request: TokenCountRequest) => Promise<number | null> = async () => COUNTED) {
  const requests: TokenCountRequest[] = []
  const countTokens = (request: TokenCountRequest) => {
    requests.push(request)
    return count(request)
  }
  return { requests, countTokens }
}

describe('countTokens', () => {
  it('admits a call that fits by count but not by estimate, and is not a model call', async () => {
    expect(await (await ask(4_800, {})).end).toBe('refused')
    const { requests, countTokens } = counting()
    const { end, scope } = await ask(4_800, { countTokens })
    expect(await end).toBe('answered')
    expect(requests).toMatchObject([{ provider: 'test', modelId: 'test-model', options: { prompt: LONG.prompt } }])
    expect((await scope.usage()).modelCalls.settled).toBe(1)
  })

  it('is not called if the estimate fits, the input is bounded by its bytes, or nothing limits it', async () => {
    const { requests, countTokens } = counting()
    expect(await (await ask(50_000, { countTokens })).end).toBe('answered')
    expect(await (await ask(4_800, { countTokens, input: 'strict' })).end).toBe('refused')
    const { scope } = await openScope({ limits: { modelCalls: 1 } })
    await governedModel(scope, answering().model, { countTokens }).doGenerate(LONG)
    expect(requests).toEqual([])
  })

  it.each([
    ['throws', async () => Promise.reject(new Error('no such route'))],
    ['says that it does not know', async () => null],
    ['says nonsense', async () => Number.NaN],
    ['says too much', async () => 1_000_000],
  ])('falls back to the estimate if it %s', async (_, count) => {
    const { requests, countTokens } = counting(count)
    const { end, sent } = await ask(4_800, { countTokens })
    expect(await end).toBe('refused')
    expect([requests.length, sent.length]).toEqual([1, 0])
  })

  it('is given two seconds', async () => {
    const { requests, countTokens } = counting(() => new Promise(() => {}))
    const { end, clock } = await ask(4_800, { countTokens })
    await expect.poll(() => requests.length).toBe(1)
    await clock.advance(1_999)
    expect(requests[0]!.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(await end).toBe('refused')
    expect(requests[0]!.signal.aborted).toBe(true)
  })

  it.each([
    ['is sized by the same count', COUNTED],
    ['has to do without', null],
  ])('is called once if the closing call follows, which %s', async (_, count) => {
    const { requests, countTokens } = counting(async () => count)
    const { scope } = await openScope({ limits: { tokens: 5_000, toolCalls: 0 } })
    await scope.callTool({ name: 'read' }, () => 1)
    const { model, sent } = answering()
    const calls = ['1', '2', '3', '4'].map((toolCallId) => ({ toolCallId, toolName: 'read' }))
    const output = { type: 'text', value: TEXT } as const
    const prompt: CallOptions['prompt'] = [
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      { role: 'assistant', content: calls.map((call) => ({ type: 'tool-call', ...call, input: {} })) },
      { role: 'tool', content: calls.map((call) => ({ type: 'tool-result', ...call, output })) },
    ]
    await governedModel(scope, model, { wrapUp: true, countTokens }).doGenerate({ prompt, maxOutputTokens: 300 })
    expect(requests).toHaveLength(1)
    expect(JSON.stringify(sent).includes(TEXT)).toBe(count !== null)
  })
})

describe('a closing request', () => {
  it('is sized by what is known of the original call, even if results are left out', async () => {
    const resultOf = (id: string) => {
      const call = { toolCallId: id, toolName: 'read' } as const
      return [
        { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
        { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: TEXT } }] },
      ] as const
    }
    const options = { ...LONG, prompt: [...LONG.prompt, ...resultOf('1'), ...resultOf('2')] } as CallOptions
    const original = modelRequest(MODEL, options)
    for (const [resultsLeftOut, counted] of [0, 1, 2].map((left) => [left, (3 - left) * COUNTED] as const)) {
      const edited = modelRequest(MODEL, editRequest(original, { closing: { text: 'Say it.', resultsLeftOut } }))
      const { inputTokens: size } = await estimateEdited(edited, original, { inputTokens: 3 * COUNTED })
      expect(size).toBeGreaterThan(counted)
      expect(size).toBeLessThan(counted * 1.06)
      expect(size).toBeLessThan((await estimatePrompt(edited, createTokenMarks(), { isLimited: true })).inputTokens)
    }
  })
})
