import type { Answer } from '../answer/answer.ts'
import type { CountedUsage } from '../counting/counted-usage.ts'
import { createTokenRule } from '../counting/token-rule.ts'
import { ANTHROPIC_MESSAGES } from '../dialects/anthropic-messages/index.ts'
import { OPENAI_CHAT } from '../dialects/openai-chat/index.ts'
import { OPENAI_RESPONSES } from '../dialects/openai-responses/index.ts'
import type { ProviderDialect } from '../dialects/provider-dialect.ts'
import type { ProviderDialectName, ProviderRequest } from '../provider-request.ts'

/** An answer as bytes of HTTP, ready to be sent. */
export interface PreparedAnswer {
  readonly json: Buffer
  /** The head, and each event as a chunk of its own. */
  readonly events: readonly Buffer[]
  readonly stream: Buffer
}

export type PreparedAnswers = Readonly<Record<ProviderDialectName, PreparedAnswer>>

const DIALECTS: readonly ProviderDialect[] = [ANTHROPIC_MESSAGES, OPENAI_CHAT, OPENAI_RESPONSES]

/** One answer for each dialect, with this usage and about so many bytes of JSON. */
export function prepareAnswers(model: string, bodyBytes: number, usage: CountedUsage): PreparedAnswers {
  const prepared = DIALECTS.map((dialect) => [dialect.name, prepare(dialect, model, bodyBytes, usage)] as const)
  return Object.fromEntries(prepared) as unknown as PreparedAnswers
}

function prepare(dialect: ProviderDialect, model: string, bodyBytes: number, usage: CountedUsage): PreparedAnswer {
  const bare = JSON.stringify(dialect.answerBody(answerSaying('', dialect, model, usage))).length
  const answer = answerSaying('word '.repeat(Math.max(1, Math.floor((bodyBytes - bare) / 5))), dialect, model, usage)
  const body = JSON.stringify(dialect.answerBody(answer))
  const pieces = dialect.answerPieces(answer, createTokenRule(4))
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n'
  const events = [
    head,
    ...pieces.map(({ text }) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`),
    '0\r\n\r\n',
  ]
  return {
    json: Buffer.from(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
    events: events.map((event) => Buffer.from(event)),
    stream: Buffer.from(events.join('')),
  }
}

function answerSaying(text: string, dialect: ProviderDialect, model: string, usage: CountedUsage): Answer {
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
  const choice = { thinking: null, webSearches: 0, text, toolCalls: [], stop: 'end' } as const
  return { request, serial: 'prepared', createdAtSeconds: 0, choices: [choice], usage, report: 'counted' }
}
