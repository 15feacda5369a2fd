import type { ServerResponse } from 'node:http'
import type { AnswerReading, AnswerRelay } from '../dialects/dialect.ts'
import type { ExchangeBounds, SentRequest } from '../upstream/exchange.ts'
import { startExchange } from '../upstream/exchange.ts'
import { UpstreamBrokenError, UpstreamRefusedError } from '../upstream/upstream-errors.ts'
import type { Client } from './client.ts'
import { createClientSink } from './client-sink.ts'

const NOTHING = Buffer.alloc(0)

const NOTHING_READ: AnswerReading = {
  usage: null,
  partialUsage: null,
  toolCalls: { passed: 0, cut: 0 },
  providerToolCalls: 0,
  webSearches: 0,
  text: '',
  isComplete: true,
  isCutByCap: false,
  hasError: false,
}

const UNCHANGED: AnswerRelay = { push: (bytes) => bytes, end: () => NOTHING, reading: () => NOTHING_READ }

/** Sends a request on and hands its answer back as it comes: somebody else accounts for it, or it costs nothing. */
export async function passThrough(
  sent: SentRequest,
  response: ServerResponse,
  client: Client,
  bounds: ExchangeBounds,
): Promise<void> {
  const sink = createClientSink({ response, client, relayFor: () => UNCHANGED, budget: null })
  const exchange = startExchange(sent, sink, bounds)
  client.setExchange(exchange)
  const end = await exchange.end
  if (end.kind === 'refused') throw new UpstreamRefusedError(end.status, end)
  if (end.kind === 'broken') throw new UpstreamBrokenError(end.error)
  sink.finish(end.rest)
}
