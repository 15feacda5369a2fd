import type { ServerResponse } from 'node:http'
import type { AnswerRelay } from '../dialects/dialect.ts'
import { answerHeaders } from '../http/answer-headers.ts'
import type { AnswerSink } from '../upstream/exchange.ts'
import type { Client } from './client.ts'

/** The client's side of an exchange. */
export interface ClientSink extends AnswerSink {
  /** Sends what is left, and ends the answer. */
  finish(rest: Buffer): void
}

export interface SinkOptions {
  readonly response: ServerResponse
  readonly client: Client
  readonly relayFor: (isEventStream: boolean) => AnswerRelay
  /** What the answer says of the budget; `null` for nothing. */
  readonly budget: readonly string[] | null
}

// A whole answer up to this size is sent at once when it is settled; a longer one, and a stream, as it comes.
const MOST_HELD_BYTES = 262_144

/** Hands an answer on to the client. */
export function createClientSink({ response, client, relayFor, budget }: SinkOptions): ClientSink {
  let held: Buffer[] | null = null
  let heldBytes = 0
  let head: { readonly status: number; readonly headers: string[] } | null = null

  function begin(contentLength: number | null): void {
    if (head === null || response.headersSent || client.isGone()) return
    if (contentLength !== null) head.headers.push('content-length', String(contentLength))
    response.writeHead(head.status, head.headers)
  }

  return {
    begin(status, upstream, isEventStream) {
      client.hasOnlyPings = false
      head = { status, headers: answerHeaders(upstream, budget) }
      if (!isEventStream && !response.headersSent) held = []
      else {
        begin(null)
        if (!client.isGone()) response.flushHeaders()
      }
      return relayFor(isEventStream)
    },
    write(bytes) {
      if (held === null) return response.write(bytes)
      held.push(bytes)
      heldBytes += bytes.length
      if (heldBytes <= MOST_HELD_BYTES) return true
      begin(null)
      const pieces = Buffer.concat(held)
      held = null
      return response.write(pieces)
    },
    onDrain(callback) {
      const once = (): void => {
        response.off('drain', once)
        response.off('close', once)
        callback()
      }
      response.on('drain', once)
      response.on('close', once)
    },
    isGone: client.isGone,
    finish(rest) {
      if (client.isGone()) return
      if (held === null) {
        response.end(rest)
        return
      }
      const whole = held.length === 0 ? rest : Buffer.concat([...held, rest])
      begin(whole.length)
      response.end(whole)
    },
  }
}
