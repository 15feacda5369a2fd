import Anthropic, { APIError } from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ANSWERS } from '../../../src/gateway/dialects/anthropic-messages/anthropic-messages.fixture.ts'
import { anthropicMessages as dialect } from '../../../src/gateway/dialects/anthropic-messages/index.ts'
import { admitFirst, cutAt, playAnswer } from '../../../src/gateway/dialects/contract/play-answer.fixture.ts'
import type { RelayOptions } from '../../../src/gateway/dialects/dialect.ts'
import { type DialectServer, startDialectServer } from './dialect-server.ts'

let server: DialectServer
let client: Anthropic

beforeAll(async () => {
  server = await startDialectServer(() => dialect)
  client = new Anthropic({ apiKey: 'placeholder', baseURL: server.url })
})

afterAll(() => server.close())

const PARAMS = {
  model: 'claude-sonnet-5',
  max_tokens: 1_000,
  messages: [{ role: 'user' as const, content: 'hi' }],
  tools: [{ name: 'read', input_schema: { type: 'object' as const } }],
}

async function ask(isStream: boolean): Promise<Anthropic.Message> {
  return isStream ? client.messages.stream(PARAMS).finalMessage() : client.messages.create(PARAMS)
}

const callsOf = ({ content }: Anthropic.Message) =>
  content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
const textOf = ({ content }: Anthropic.Message) =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('')

for (const isStream of [true, false]) {
  describe(`the official package, ${isStream ? 'streaming' : 'not streaming'}`, () => {
    const relayed = async (recorded: (typeof ANSWERS)[number], options: Partial<RelayOptions>) => {
      server.answerWith(async (request) => {
        const bytes = isStream ? recorded.stream : recorded.whole
        const relay = { isEventStream: isStream, ...options }
        const played = await playAnswer(dialect, request, cutAt(bytes, [13, 77, 500]), relay)
        return { pieces: cutAt(played.bytes, [5, 100, 101, 102]) }
      })
      return ask(isStream)
    }

    it.each(ANSWERS)('I9: reads $name cut to k calls', async (recorded) => {
      for (let most = 0; most <= recorded.calls.length; most++) {
        const message = await relayed(recorded, { admitToolCall: admitFirst(most) })
        expect(callsOf(message)).toEqual(recorded.calls.slice(0, most))
        const isCutToNone = most === 0 && recorded.calls.length > 0
        expect(message.stop_reason).toBe(recorded.calls.length > 0 && !isCutToNone ? 'tool_use' : 'end_turn')
        expect(textOf(message)).toContain(recorded.text)
        expect(message.content.length).toBeGreaterThan(0)
        expect(message.usage.output_tokens).toBe(87)
      }
    })

    it.each(ANSWERS)('E6: reads $name as a closing answer', async (recorded) => {
      const message = await relayed(recorded, { isClosing: true })
      expect(callsOf(message)).toEqual([])
      expect(textOf(message)).not.toBe('')
      expect(message.stop_reason).toBe('end_turn')
    })

    it('reads a short answer, also after pings', async () => {
      server.answerWith(async (request) => {
        const pings = isStream ? [dialect.ping(), dialect.ping()] : []
        return { pieces: [...pings, dialect.shortAnswer(request, 'The run is paused.')] }
      })
      const message = await ask(isStream)
      expect(textOf(message)).toBe('The run is paused.')
      expect(message).toMatchObject({ stop_reason: 'end_turn', role: 'assistant', model: 'claude-sonnet-5' })
    })

    it('stops immediately at a refusal, with our message', async () => {
      server.answerWith(async () => ({
        status: 402,
        pieces: [
          dialect.errorBody({ kind: 'budget', message: 'cost of $1.00 is used up: raise it with --limit cost=2' }),
        ],
      }))
      const before = server.requests()
      const error = await ask(isStream).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(APIError)
      expect(error).toMatchObject({ status: 402, error: { type: 'error', error: { type: 'billing_error' } } })
      expect((error as Error).message).toContain('raise it with --limit cost=2')
      expect(server.requests() - before).toBe(1)
    })
  })
}
