import type { ServerResponse } from 'node:http'
import type { ExchangeBounds, SentRequest } from '../upstream/exchange.ts'
import { startExchange } from '../upstream/exchange.ts'
import { UNREAD_ANSWER } from '../upstream/unread-answer.ts'
import { UpstreamBrokenError, UpstreamRefusedError } from '../upstream/upstream-errors.ts'
import type { Client } from './client.ts'
import { createClientSink } from './client-sink.ts'

/** Forwards a request and passes its answer on as it arrives: it costs nothing, or is accounted for elsewhere. */
export async function passThrough(
  sent: SentRequest,
  response: ServerResponse,
  client: Client,
  bounds: ExchangeBounds,
): Promise<void> {
  const sink = createClientSink({ response, client, relayFor: () => UNREAD_ANSWER, budget: null })
  const exchange = startExchange(sent, sink, bounds)
  client.exchange = exchange
  if (client.isGone) exchange.drain()
  const end = await exchange.end
  if (end.kind === 'refused') throw new UpstreamRefusedError(end.status, end)
  if (end.kind === 'broken') throw new UpstreamBrokenError(end.error)
  sink.finish(end.rest)
}
