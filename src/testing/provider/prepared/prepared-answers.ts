import type { Answer } from '../answer/answer.ts'
import type { CountedUsage } from '../counting/counted-usage.ts'
import { createTokenRule } from '../counting/token-rule.ts'
import { ANTHROPIC_MESSAGES } from '../dialects/anthropic-messages/index.ts'
import { OPENAI_CHAT } from '../dialects/openai-chat/index.ts'
import { OPENAI_RESPONSES } from '../dialects/openai-responses/index.ts'
import type { ProviderDialect } from '../dialects/provider-dialect.ts'
import type { ProviderDialectName, ProviderRequest } from '../provider-request.ts'

/** An answer as HTTP bytes, ready to be sent. */
export interface PreparedAnswer {
  readonly json: Buffer
  /** The writes of a stream: the head, the events in groups, the end. Each event is its own chunk. */
  readonly writes: readonly Buffer[]
  readonly stream: Buffer
}

export type PreparedAnswers = Readonly<Record<ProviderDialectName, PreparedAnswer>>

const DIALECTS: readonly ProviderDialect[] = [ANTHROPIC_MESSAGES, OPENAI_CHAT, OPENAI_RESPONSES]

/** The shape of an answer. */
export interface AnswerShape {
  readonly model: string
  /** Its approximate length as JSON. */
  readonly bodyBytes: number
  readonly usage: CountedUsage
  /** The number of text events in a stream. Default: a few, and more for a long one. */
  readonly textEvents?: number | undefined
  /** The number of events per write. Default: all of them. */
  readonly eventsPerWrite?: number | undefined
}

/** An answer of this shape in each dialect. */
export function prepareAnswers(shape: AnswerShape): PreparedAnswers {
  const prepared = DIALECTS.map((dialect) => [dialect.name, prepare(dialect, shape)] as const)
  return Object.fromEntries(prepared) as unknown as PreparedAnswers
}

function prepare(dialect: ProviderDialect, shape: AnswerShape): PreparedAnswer {
  const bare = JSON.stringify(dialect.answerBody(answerSaying('', dialect, shape))).length
  const answer = answerSaying('word '.repeat(Math.max(1, Math.floor((shape.bodyBytes - bare) / 5))), dialect, shape)
  const body = JSON.stringify(dialect.answerBody(answer))
  const pieces = dialect.answerPieces(answer, createTokenRule(4))
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n'
  const chunks = pieces.map(({ text }) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
  const writes = [head, ...groupsOf(chunks, shape.eventsPerWrite ?? chunks.length), '0\r\n\r\n']
  return {
    json: Buffer.from(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
    writes: writes.map((write) => Buffer.from(write)),
    stream: Buffer.from(writes.join('')),
  }
}

function groupsOf(chunks: readonly string[], size: number): readonly string[] {
  const count = Math.ceil(chunks.length / size)
  return Array.from({ length: count }, (_, group) => chunks.slice(group * size, (group + 1) * size).join(''))
}

function answerSaying(text: string, dialect: ProviderDialect, { model, usage, textEvents }: AnswerShape): Answer {
  const request: ProviderRequest = {
    number: 0,
    dialect: dialect.name,
    headers: {},
    body: { stream_options: { include_usage: true } },
    model,
    isStream: false,
    askedOutputTokens: null,
    cap: usage.outputTokens,
    choices: 1,
    tools: [],
    toolChoice: 'auto',
    allowedTools: null,
    mayCallTools: false,
    isParallel: true,
    thinking: null,
    schema: null,
    maxWebSearches: 0,
    toolRounds: 0,
    toolResults: [],
    userText: '',
    prompt: [],
  }
  const pieces = textEvents === undefined ? {} : { textPieces: textEvents }
  const choice = { thinking: null, webSearches: 0, text, ...pieces, toolCalls: [], stop: 'end' } as const
  return { request, serial: 'prepared', createdAtSeconds: 0, choices: [choice], usage, report: 'counted' }
}
