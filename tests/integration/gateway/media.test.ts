import { describe, expect, it } from 'vitest'
import { pdfOf, wavOf } from '../../../src/pricing/estimate/media/media-files.fixture.ts'
import { KEY, type Stage, startStage } from './stage.ts'

const PATHS = {
  anthropic: 'anthropic/v1/messages',
  chat: 'openai/v1/chat/completions',
  responses: 'openai/v1/responses',
}

function send(stage: Stage, path: keyof typeof PATHS, body: object) {
  return fetch(`${stage.gateway.url}/k/${KEY}/${PATHS[path]}`, {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  })
}

const base64 = (file: string | Buffer) => Buffer.from(file as string, 'latin1').toString('base64')
const pdf = (pages: number, isPacked = false) => base64(pdfOf({ pages, isPacked }))
const user = (...content: readonly object[]) => [{ role: 'user', content }]
const withDocument = {
  anthropic: (data: string) => ({
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    messages: user({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } }),
  }),
  chat: (data: string) => ({
    model: 'gpt-4.1',
    max_completion_tokens: 100,
    messages: user({ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${data}` } }),
  }),
  responses: (data: string) => ({
    model: 'gpt-4.1',
    max_output_tokens: 100,
    input: user({ type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${data}` }),
  }),
}
const DIALECTS = ['anthropic', 'chat', 'responses'] as const

// The scripted provider would count every file alike, whatever is in it.
const UNCOUNTING = { counts: () => ({ fault: { kind: 'status', status: 404 } }) as const }

describe('documents', () => {
  it.each(DIALECTS)(
    'D3: %s: a small file with many pages does not pass a limit that its pages would exceed',
    async (path) => {
      const statusOf = async (data: string) => {
        const stage = await startStage({ limits: { cost: 0.1 }, provider: UNCOUNTING })
        const { status } = await send(stage, path, withDocument[path](data))
        return [status, stage.provider.requestCount]
      }
      for (const isPacked of [false, true]) {
        const data = pdf(100, isPacked)
        expect(data.length).toBeLessThan(20_000)
        expect(await statusOf(data)).toEqual([402, 0])
        expect(await statusOf(pdf(1, isPacked))).toEqual([200, 1])
      }
    },
  )

  it.each(DIALECTS)('%s: a file with hidden pages may fill the context window', async (path) => {
    const statusOf = async (more: string, cost: number) => {
      const stage = await startStage({ limits: { cost }, provider: UNCOUNTING })
      return (await send(stage, path, withDocument[path](base64(pdfOf({ pages: 1, more }))))).status
    }
    const hidden = '<< /Encrypt 4 0 R >>'
    expect(await statusOf('', 1.5)).toBe(200)
    expect(await statusOf(hidden, 1.5)).toBe(402)
    expect(await statusOf(hidden, 9)).toBe(200)
  })
})

describe('sound', () => {
  const audio = (seconds: number) => ({
    type: 'input_audio',
    input_audio: { data: base64(wavOf(seconds, { rate: 100 })), format: 'wav' },
  })
  const ask = (seconds: number, model = 'gpt-audio') => ({
    model,
    max_completion_tokens: 100,
    modalities: ['text'],
    messages: user({ type: 'text', text: 'What is said?' }, audio(seconds)),
  })
  const usage = (audioTokens: number) => ({
    prompt_tokens: audioTokens + 200,
    completion_tokens: 50,
    total_tokens: audioTokens + 250,
    prompt_tokens_details: { audio_tokens: audioTokens },
    completion_tokens_details: { audio_tokens: 0 },
  })

  it.each([
    ['gpt-audio', 32, 2.5, 10],
    ['gpt-audio-mini', 10, 0.6, 2.4],
  ])(
    'D3: %s: is charged at its own price, by the amount that the answer reports',
    async (model, sound, text, output) => {
      const stage = await startStage({
        limits: { cost: 1 },
        script: () => ({ text: 'ok', usage: { raw: usage(6_000) } }),
      })
      expect((await send(stage, 'chat', ask(600, model))).status).toBe(200)
      await stage.settle()
      const nanoUsd = (6_000 * sound + 200 * text + 50 * output) * 1_000
      expect((await stage.run.usage()).cost).toMatchObject({ settled: nanoUsd, overrun: 0, reserved: 0 })
    },
  )

  it.each([
    { seconds: 600, status: 402 },
    { seconds: 200, status: 200 },
  ])('is reserved by its length: $seconds seconds', async ({ seconds, status }) => {
    const raw = usage(seconds * 10)
    const stage = await startStage({ limits: { cost: 0.1 }, script: () => ({ text: 'ok', usage: { raw } }) })
    expect((await send(stage, 'chat', ask(seconds))).status).toBe(status)
    await stage.settle()
    expect((await stage.run.usage()).cost.overrun).toBe(0)
  })

  it('is charged without a limit, too, and at the maximum if the answer does not report it', async () => {
    const silent = { prompt_tokens: 6_200, completion_tokens: 50, total_tokens: 6_250 }
    const stage = await startStage({ script: () => ({ text: 'ok', usage: { raw: silent } }) })
    expect((await send(stage, 'chat', ask(600))).status).toBe(200)
    await stage.settle()
    expect((await stage.run.usage()).cost.settled).toBeGreaterThanOrEqual((6_000 * 32 + 200 * 2.5) * 1_000)
  })

  it('that a model produced before, and a message only names, has an unknown size', async () => {
    const stage = await startStage({ limits: { cost: 1 } })
    const body = ask(1)
    const spoken = { role: 'assistant', audio: { id: 'audio_1' } }
    expect(
      (await send(stage, 'chat', { ...body, messages: [...body.messages, spoken, ...body.messages] })).status,
    ).toBe(402)
  })
})
