import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createPreparedProvider, type PreparedProviderOptions } from './prepared/create-prepared-provider.ts'
import { prepareAnswers } from './prepared/prepared-answers.ts'
import { createFrameReader } from './prepared/read-frames.ts'

const USAGE = {
  inputTokens: 500,
  outputTokens: 400,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  reasoningTokens: 0,
  webSearches: 0,
}

async function start(options: PreparedProviderOptions = {}) {
  const provider = await createPreparedProvider(options)
  onTestFinished(() => provider.close())
  return provider
}

describe('createPreparedProvider', () => {
  it.each([{}, { eventsPerWrite: 1 }, { eventsPerWrite: 10, textEvents: 100 }])(
    'is read by the official clients, streaming and not, with %j',
    async (options) => {
      const provider = await start(options)
      const anthropic = new Anthropic({ baseURL: provider.url, apiKey: 'made-up' })
      const openai = new OpenAI({ baseURL: provider.openaiUrl, apiKey: 'made-up' })
      const messages = [{ role: 'user' as const, content: 'a "stream": true in a text is none' }]
      const claude = { model: 'claude-haiku-5-5', max_tokens: 100, messages }
      for (const { usage } of [
        await anthropic.messages.create(claude),
        await anthropic.messages.stream(claude).finalMessage(),
      ]) {
        expect(usage).toMatchObject({ input_tokens: 500, output_tokens: 400 })
      }
      const chat = await openai.chat.completions.stream({ model: 'gpt-4.1', messages }).finalChatCompletion()
      expect(chat.choices[0]!.message.content).toContain('word word')
      expect((await openai.chat.completions.create({ model: 'gpt-4.1', messages })).usage?.prompt_tokens).toBe(500)
      const response = await openai.responses.stream({ model: 'gpt-4.1', input: 'hi' }).finalResponse()
      expect(response.usage?.total_tokens).toBe(900)
      expect(provider.answered).toBe(5)
      expect(provider.costNanoUsd).toBe(5 * (500 * 3_000 + 400 * 15_000))
    },
  )

  it('has answers of the given size, and no other routes', async () => {
    const provider = await start({ bodyBytes: 2_048 })
    const response = await fetch(`${provider.openaiUrl}/chat/completions`, { method: 'POST', body: '{}' })
    const length = (await response.text()).length
    expect(length).toBeGreaterThan(2_040)
    expect(length).toBeLessThan(2_049)
    expect((await fetch(`${provider.url}/v1/embeddings`, { method: 'POST', body: '{}' })).status).toBe(404)
    expect(provider.answered).toBe(1)
  })

  it.each([
    ['/v1/chat/completions', 4],
    ['/v1/messages', 6],
    ['/v1/responses', 8],
  ])('sends its text in the given number of events on %s', async (path, others) => {
    const eventsWith = async (textEvents: number) => {
      const provider = await start({ textEvents, eventsPerWrite: 10 })
      const response = await fetch(`${provider.url}${path}`, { method: 'POST', body: '{"stream": true}' })
      return (await response.text()).split('\n\n').length - 1
    }
    expect(await eventsWith(96)).toBe(96 + others)
    expect(await eventsWith(396)).toBe(396 + others)
  })

  it.each([{ textEvents: 0 }, { eventsPerWrite: 2.5 }])('does not start with %j', async (options) => {
    await expect(createPreparedProvider(options)).rejects.toThrow(/(textEvents is 0|eventsPerWrite is 2.5)\. Write/)
  })

  it('closes a connection that is not HTTP', async () => {
    const { port } = await start()
    const socket = connect(port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nnonsense\r\n')
    await once(socket.resume(), 'close')
  })
})

describe('prepareAnswers', () => {
  it.each([
    [1, [0, ...Array.from({ length: 40 }, () => 1), 0]],
    [16, [0, 16, 16, 8, 0]],
    [100, [0, 40, 0]],
  ])('puts %s events into one write, between the head and the end', (eventsPerWrite, events) => {
    const answers = prepareAnswers({ model: 'gpt-4.1', bodyBytes: 2_048, usage: USAGE, textEvents: 36, eventsPerWrite })
    const { writes, stream } = answers['openai-chat']
    expect(writes.map((write) => String(write).split('\n\n').length - 1)).toEqual(events)
    expect(Buffer.concat(writes)).toEqual(stream)
  })
})

describe('createFrameReader', () => {
  it('finds the same requests in any pieces', () => {
    const wire = Buffer.from(
      'POST /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello' +
        'GET /b HTTP/1.1\r\nhost: x\r\n\r\n' +
        'POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n',
    )
    for (let size = 1; size <= wire.length; size++) {
      const read = createFrameReader()
      const found: string[] = []
      for (let at = 0; at < wire.length; at += size) {
        for (const { head, body } of read(wire.subarray(at, at + size))) found.push(`${head.split(' ')[1]} ${body}`)
      }
      expect(found).toEqual(['/a hello', '/b ', '/c abc0123456789'])
    }
  })
})

describe('the provider in its own process', () => {
  it.each([
    [{ prepared: {} }, { answered: 1, costNanoUsd: 7_500_000 }],
    [{ script: { kind: 'emitWholeCap' } }, { requests: 1, costNanoUsd: 3_000 + 10 * 15_000, costPicoUsd: '153000000' }],
  ])('prints its address, shows its book and ends with its input: %j', async (options, book) => {
    const file = fileURLToPath(new URL('./provider-process.ts', import.meta.url))
    const child = spawn(process.execPath, [file, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill())
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const next = async () => JSON.parse((await lines.next()).value as string)
    const { url } = await next()
    const body = { model: 'claude-sonnet-4-5', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }
    const headers = { 'x-api-key': 'made-up', 'anthropic-version': '2023-06-01' }
    const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect([response.status, (await response.text()).length > 0]).toEqual([200, true])
    child.stdin.write('book\n')
    expect(await next()).toMatchObject(book)
    child.stdin.end()
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
