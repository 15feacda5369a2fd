import { describe, expect, it } from 'vitest'
import type { LanguageModelV3 } from '../../adapters/ai-sdk/index.ts'
import type { StreamPart } from '../../adapters/ai-sdk/model/language-model.ts'
import { createGovernor } from '../../governor/index.ts'
import { governedModels } from '../models/index.ts'
import { assistantMessage } from './record/assistant-message.ts'

const FINISH = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: {} } as unknown as StreamPart
const call = (id: string): StreamPart => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'read',
  input: '{"path":"a"}',
})

/** The parts of a stream that are passed on, and what was recorded, in order. */
async function played(parts: readonly StreamPart[]) {
  const told: string[] = []
  const recorded: ReturnType<typeof assistantMessage>[] = []
  const model = {
    specificationVersion: 'v3',
    provider: 'test',
    modelId: 'test-model',
    doGenerate: () => Promise.reject(new Error('not asked for')),
    doStream: async () => ({
      stream: new ReadableStream<StreamPart>({
        start(controller) {
          for (const part of parts) controller.enqueue(part)
          controller.close()
        },
      }),
    }),
  } as unknown as LanguageModelV3
  const scope = await createGovernor().open({ name: 'run' })
  const recorder = {
    onCall: () => void told.push('call'),
    async onAnswer(content: Parameters<typeof assistantMessage>[0]) {
      await Promise.resolve()
      recorded.push(assistantMessage(content))
      told.push('recorded')
    },
  }
  const models = [{ name: 'first', model, thinkingOptions: () => ({}) }]
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'go' }] }]
  const { stream } = await governedModels(scope, models, {}, recorder).doStream({ prompt })
  for await (const { type } of stream) told.push(type)
  return { told, recorded }
}

describe('a recorded model', () => {
  it('passes its tool calls on once its answer is over and written down', async () => {
    const parts: readonly StreamPart[] = [
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Rea' },
      { type: 'text-delta', id: '1', delta: 'ding.' },
      { type: 'text-end', id: '1' },
      call('a'),
      call('b'),
      FINISH,
    ]
    const { told, recorded } = await played(parts)
    const texts = ['text-start', 'text-delta', 'text-delta', 'text-end']
    expect(told).toEqual(['call', ...texts, 'recorded', 'tool-call', 'tool-call', 'finish'])
    const made = (toolCallId: string) => ({ type: 'tool-call', toolCallId, toolName: 'read', input: { path: 'a' } })
    expect(recorded).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'Reading.' }, made('a'), made('b')] },
    ])
  })

  it('makes no calls if its answer breaks off', async () => {
    const { told, recorded } = await played([call('a'), { type: 'error', error: new Error('gone') }])
    expect([told, recorded]).toEqual([['call', 'error'], []])
  })

  it('keeps the signature of reasoning, wherever it arrives', async () => {
    const signed = { anthropic: { signature: 'abc' } }
    const { recorded } = await played([
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'hm' },
      { type: 'reasoning-delta', id: '0', delta: '', providerMetadata: signed },
      { type: 'reasoning-end', id: '0' },
      FINISH,
    ])
    expect(recorded[0]?.content).toEqual([{ type: 'reasoning', text: 'hm', providerOptions: signed }])
  })

  it('keeps invalid JSON as written, and a file as text', async () => {
    const broken = { ...call('a'), input: '{"path":' } as StreamPart
    const file = { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2]) } as StreamPart
    const { recorded } = await played([file, broken, FINISH])
    expect(recorded[0]?.content).toEqual([
      { type: 'file', mediaType: 'image/png', data: 'AQI=' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: '{"path":' },
    ])
  })
})
