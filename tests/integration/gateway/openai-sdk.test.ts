import OpenAI, { APIError } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admitFirst, cutAt, playAnswer } from '../../../src/gateway/dialects/contract/play-answer.fixture.ts'
import type { RelayOptions } from '../../../src/gateway/dialects/dialect.ts'
import { openAiChat } from '../../../src/gateway/dialects/openai-chat/index.ts'
import { callAnswer, callStream, endOfStream } from '../../../src/gateway/dialects/openai-chat/openai-chat.fixture.ts'
import { openAiResponses } from '../../../src/gateway/dialects/openai-responses/index.ts'
import {
  eventsOf,
  responseOf,
  streamOf,
} from '../../../src/gateway/dialects/openai-responses/openai-responses.fixture.ts'
import { type DialectServer, startDialectServer } from './dialect-server.ts'

let server: DialectServer
let client: OpenAI

beforeAll(async () => {
  server = await startDialectServer((path) => (path === '/v1/responses' ? openAiResponses : openAiChat))
  client = new OpenAI({ apiKey: 'placeholder', baseURL: `${server.url}/v1` })
})

afterAll(() => server.close())

/** What the package reads of an answer. */
interface Read {
  readonly calls: readonly string[]
  readonly text: string
  readonly ended: unknown
  readonly outputTokens: number | undefined
}

const PARAMETERS = { type: 'object', properties: {} }

async function askChat(isStream: boolean): Promise<Read> {
  const params = {
    model: 'gpt-5-mini',
    messages: [{ role: 'user' as const, content: 'hi' }],
    tools: [{ type: 'function' as const, function: { name: 'read', parameters: PARAMETERS } }],
  }
  const completion = isStream
    ? await client.chat.completions.stream({ ...params, stream_options: { include_usage: true } }).finalChatCompletion()
    : await client.chat.completions.create(params)
  const { message, finish_reason: ended } = completion.choices[0]!
  const calls = (message.tool_calls ?? []).map(({ id }) => id)
  return { calls, text: message.content ?? '', ended, outputTokens: completion.usage?.completion_tokens }
}

async function askResponses(isStream: boolean): Promise<Read> {
  const params = {
    model: 'gpt-5-codex',
    input: 'hi',
    tools: [{ type: 'function' as const, name: 'read', parameters: PARAMETERS, strict: false }],
  }
  const response = isStream
    ? await client.responses.stream(params).finalResponse()
    : await client.responses.create(params)
  const calls = response.output.flatMap((item) => ('call_id' in item && item.call_id !== null ? [item.call_id] : []))
  return { calls, text: response.output_text, ended: response.status, outputTokens: response.usage?.output_tokens }
}

const DIALECTS = [
  {
    name: 'chat completions',
    ask: askChat,
    recorded: (calls: number, text: string) => ({
      stream: callStream(calls, text) + endOfStream(),
      whole: callAnswer(calls, text),
    }),
    ends: { calls: 'tool_calls', text: 'stop' },
  },
  {
    name: 'responses',
    ask: askResponses,
    recorded: (calls: number, text: string) => ({
      stream: streamOf(eventsOf({ calls, text })),
      whole: JSON.stringify(responseOf({ calls, text })),
    }),
    ends: { calls: 'completed', text: 'completed' },
  },
]

for (const { name, ask, recorded, ends } of DIALECTS) {
  for (const isStream of [true, false]) {
    describe(`the official package, ${name}, ${isStream ? 'streaming' : 'not streaming'}`, () => {
      const relayed = async (calls: number, text: string, options: Partial<RelayOptions>) => {
        server.answerWith(async (request, dialect) => {
          const bytes = Buffer.from(recorded(calls, text)[isStream ? 'stream' : 'whole'])
          const relay = { isEventStream: isStream, ...options }
          const played = await playAnswer(dialect, request, cutAt(bytes, [13, 77, 500]), relay)
          return { pieces: cutAt(played.bytes, [5, 100, 101, 102]) }
        })
        return ask(isStream)
      }

      it('I9: reads an answer cut to k calls', async () => {
        for (let most = 1; most <= 3; most++) {
          expect(await relayed(3, 'Let me look.', { admitToolCall: admitFirst(most) })).toEqual({
            calls: ['call_0', 'call_1', 'call_2'].slice(0, most),
            text: 'Let me look.',
            ended: ends.calls,
            outputTokens: 20,
          })
        }
      })

      it('E6: reads a closing answer', async () => {
        const said = 'Half is done. <tool_call>{"name":"x","arguments":{}}</tool_call> The rest is missing.'
        const plain = { calls: [], text: 'Half is done. The rest is missing.', ended: ends.text, outputTokens: 20 }
        expect(await relayed(2, said, { isClosing: true })).toEqual(plain)
        const emptied = await relayed(2, '', { isClosing: true })
        expect(emptied).toMatchObject({ calls: [], ended: ends.text })
        expect(emptied.text).not.toBe('')
      })

      it('reads a short answer, also after pings', async () => {
        server.answerWith(async (request, dialect) => {
          const pings = isStream ? [dialect.ping(), dialect.ping()] : []
          return { pieces: [...pings, dialect.shortAnswer(request, 'The run is paused.')] }
        })
        expect(await ask(isStream)).toEqual({
          calls: [],
          text: 'The run is paused.',
          ended: ends.text,
          outputTokens: 0,
        })
      })

      it('stops immediately at a refusal, with our message', async () => {
        server.answerWith(async (_, dialect) => ({
          status: 402,
          pieces: [
            dialect.errorBody({ kind: 'budget', message: 'cost of $1.00 is used up: raise it with --limit cost=2' }),
          ],
        }))
        const before = server.requests()
        const error = await ask(isStream).catch((caught: unknown) => caught)
        expect(error).toBeInstanceOf(APIError)
        expect(error).toMatchObject({ status: 402, code: 'budget_exceeded', type: 'insufficient_quota', param: null })
        expect((error as Error).message).toContain('raise it with --limit cost=2')
        expect(server.requests() - before).toBe(1)
      })
    })
  }
}

describe('the official package, raw chunks', () => {
  it('A14: gets no usage chunk that it did not request', async () => {
    server.answerWith(async (request, dialect) => {
      const bytes = Buffer.from(callStream(0, 'Hi there.').replaceAll(']}\n\n', '],"usage":null}\n\n') + endOfStream())
      const played = await playAnswer(dialect, request, [bytes], { hidesUsage: true })
      return { pieces: [played.bytes] }
    })
    const chunks = []
    const messages = [{ role: 'user' as const, content: 'hi' }]
    for await (const chunk of await client.chat.completions.create({ model: 'gpt-5-mini', messages, stream: true })) {
      chunks.push(chunk)
    }
    expect(chunks.every((chunk) => chunk.choices.length === 1 && !('usage' in chunk))).toBe(true)
  })
})
