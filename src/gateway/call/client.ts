import type { ServerResponse } from 'node:http'
import type { Exchange } from '../upstream/exchange.ts'

/** Whoever waits for an answer. */
export interface Client {
  /** Aborted when nobody waits any more: it went away, was given up, or the gateway closes. */
  readonly signal: AbortSignal
  /** Signs of life were sent, and nothing else yet. */
  hasOnlyPings: boolean
  /** Calls back when it goes away before it has its whole answer; at once if it has. */
  onGone(callback: () => void): void
  /** Nothing more can be said to it. */
  isGone(): boolean
  /** Whether it was answered already, or is gone: then nothing is to be sent for it. */
  isOver(): boolean
  /** It was answered without the upstream. */
  giveUp(): void
  /** The request was sent: from here on a client that goes away leaves an answer behind, which is read for its usage. */
  setExchange(exchange: Exchange): void
  /** The gateway closes: whatever is under way is broken off. */
  cut(): void
}

/** Watches the connection of a client. */
export function watchClient(response: ServerResponse): Client {
  const controller = new AbortController()
  let exchange: Exchange | null = null
  let isGone = false
  const callbacks: (() => void)[] = []
  response.on('close', () => {
    if (response.writableFinished) return
    isGone = true
    controller.abort()
    exchange?.drain()
    for (const callback of callbacks) callback()
  })
  return {
    signal: controller.signal,
    hasOnlyPings: false,
    onGone(callback) {
      if (isGone) callback()
      else callbacks.push(callback)
    },
    isGone: () => isGone,
    isOver: () => controller.signal.aborted,
    giveUp: () => controller.abort(),
    setExchange(own) {
      exchange = own
      if (isGone) own.drain()
    },
    cut() {
      controller.abort()
      exchange?.abort(new Error('The gateway is closing.'))
      response.destroy()
    },
  }
}
