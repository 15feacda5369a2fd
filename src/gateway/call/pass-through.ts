import type { ServerResponse } from 'node:http'
import type { ExchangeBounds, SentRequest } from '../upstream/exchange.ts'
import { startExchange } from '../upstream/exchange.ts'
import { UNREAD_ANSWER } from '../upstream/unread-answer.ts'
import { UpstreamBrokenError, UpstreamRefusedError } from '../upstream/upstream-errors.ts'
import type { Client } from './client.ts'
import { createClientSink } from './client-sink.ts'

/** Sends a request on and hands its answer back as it comes: somebody else accounts for it, or it costs nothing. */
export async function passThrough(
  sent: SentRequest,
  response: ServerResponse,
  client: Client,
  bounds: ExchangeBounds,
): Promise<void> {
  const sink = createClientSink({ response, client, relayFor: () => UNREAD_ANSWER, budget: null })
  const exchange = startExchange(sent, sink, bounds)
  client.setExchange(exchange)
  const end = await exchange.end
  if (end.kind === 'refused') throw new UpstreamRefusedError(end.status, end)
  if (end.kind === 'broken') throw new UpstreamBrokenError(end.error)
  sink.finish(end.rest)
}
