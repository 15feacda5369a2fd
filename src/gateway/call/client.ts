import type { ServerResponse } from 'node:http'
import type { Exchange } from '../upstream/exchange.ts'

/** The HTTP client of one request. */
export interface Client {
  /** Aborted when it was answered or no longer waits: it went away, was given up, or the gateway is closing. */
  readonly signal: AbortSignal
  /** It went away before it had its whole answer: nothing more can be sent to it. */
  isGone: boolean
  /** Only keep-alives have been sent so far. */
  hasOnlyPings: boolean
  /** The request was sent: if the client goes away now, the rest of the answer is read for its usage. */
  exchange: Exchange | null
  /** Called when it goes away before it has its whole answer. */
  readonly whenGone: (() => void)[]
  /** It was answered without the upstream. */
  giveUp(): void
  /** The gateway is closing: what is in progress is aborted. */
  cut(): void
}

/** Watches the connection of a client. */
export function watchClient(response: ServerResponse): Client {
  const controller = new AbortController()
  const client: Client = {
    signal: controller.signal,
    isGone: false,
    hasOnlyPings: false,
    exchange: null,
    whenGone: [],
    giveUp: () => controller.abort(),
    cut() {
      controller.abort()
      client.exchange?.abort(new Error('The gateway is closing.'))
      response.destroy()
    },
  }
  response.on('close', () => {
    if (response.writableFinished) return
    client.isGone = true
    controller.abort()
    client.exchange?.drain()
    for (const callback of client.whenGone) callback()
  })
  return client
}
