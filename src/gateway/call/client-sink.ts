import type { ServerResponse } from 'node:http'
import type { AnswerRelay } from '../dialects/dialect.ts'
import { answerHeaders } from '../http/answer-headers.ts'
import type { AnswerSink } from '../upstream/exchange.ts'
import type { Client } from './client.ts'

/** The client's side of an exchange. */
export interface ClientSink extends AnswerSink {
  /** Whether nothing of the answer was sent yet, so that another one can be sent instead. */
  isReplaceable(rest: Buffer, isStream: boolean): boolean
  /** Another answer is being made for the client: this one sends no more keep-alives. */
  beQuiet(): void
  /** Drops what has arrived so far. */
  drop(): void
  /** Sends the held-back part of a stream that broke off. */
  letGo(): void
  /** Sends what is left, and ends the answer. */
  finish(rest: Buffer): void
}

/** Callbacks for an answer that is held back as a whole. */
export interface Holding {
  /** A stream has begun. */
  begin(): void
  /** It is sent, or passed on as it arrives. */
  end(): void
}

export interface SinkOptions {
  readonly response: ServerResponse
  readonly client: Client
  readonly relayFor: (isEventStream: boolean) => AnswerRelay
  readonly onPiece?: AnswerSink['onPiece']
  /** The budget headers of the answer; `null` for none. */
  readonly budget: readonly string[] | null
  /** Holds a stream back too, so that it can be replaced at its end; `null`: it is sent as it arrives. */
  readonly holding?: Holding | null
}

// A whole answer up to this size is sent in one piece once it is settled; a longer one, and a stream, as it arrives.
const MOST_HELD_BYTES = 262_144
// Bounds for a stream that is held back, in text and in bytes: every few letters come in a separate event.
const MOST_HELD_TEXT = 65_536
const MOST_HELD_EVENT_BYTES = 4_194_304

/** Passes an answer on to the client. */
export function createClientSink(options: SinkOptions): ClientSink {
  const { response, client, relayFor, onPiece = () => {}, budget, holding = null } = options
  let held: Buffer[] | null = null
  let heldBytes = 0
  let head: { readonly status: number; readonly headers: string[] } | null = null
  let relay: AnswerRelay | null = null
  let isStream = false

  function begin(contentLength: number | null): void {
    holding?.end()
    client.hasOnlyPings = false
    if (head === null || response.headersSent || client.isGone) return
    if (contentLength !== null) head.headers.push('content-length', String(contentLength))
    response.writeHead(head.status, head.headers)
  }

  function mayHold(): boolean {
    if (!isStream) return heldBytes <= MOST_HELD_BYTES
    return heldBytes <= MOST_HELD_EVENT_BYTES && isTextShort()
  }

  function isTextShort(): boolean {
    return relay!.reading().text.length <= MOST_HELD_TEXT
  }

  function flush(pieces: readonly Buffer[]): boolean {
    held = null
    begin(null)
    return response.write(Buffer.concat(pieces))
  }

  return {
    begin(status, upstream, isEventStream) {
      head = { status, headers: answerHeaders(upstream, budget) }
      isStream = isEventStream
      relay = relayFor(isEventStream)
      if (isEventStream ? holding !== null : !response.headersSent) {
        held = []
        if (isEventStream) holding?.begin()
      } else {
        begin(null)
        if (!client.isGone) response.flushHeaders()
      }
      return relay
    },
    write(bytes) {
      if (held === null) return response.write(bytes)
      held.push(bytes)
      heldBytes += bytes.length
      return mayHold() ? true : flush(held)
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
    onPiece,
    client,
    isReplaceable(rest, isStreamWanted) {
      if (held === null || isStream !== isStreamWanted) return false
      return heldBytes + rest.length <= MOST_HELD_EVENT_BYTES && isTextShort()
    },
    beQuiet() {
      holding?.end()
    },
    drop() {
      held = []
      heldBytes = 0
    },
    letGo() {
      if (held !== null && isStream && heldBytes > 0 && !client.isGone) flush(held)
    },
    finish(rest) {
      if (client.isGone) return
      if (held === null) {
        response.end(rest)
        return
      }
      const whole = held.length === 0 ? rest : Buffer.concat([...held, rest])
      begin(isStream ? null : whole.length)
      response.end(whole)
    },
  }
}
