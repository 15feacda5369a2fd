import type { Holding } from './client-sink.ts'
import type { LiveCall } from './live-call.ts'

/** Keep-alives for a streaming client, from the start of an answer that is held back until it is sent. */
export function keepAlive(call: LiveCall): Holding {
  let timer: NodeJS.Timeout | null = null
  return {
    begin() {
      if (call.request.isStream) timer ??= setInterval(() => sendPing(call), call.bounds.pingMs)
    },
    end() {
      if (timer !== null) clearInterval(timer)
      timer = null
    },
  }
}

/** A sign of life for a streaming client. The first one begins the stream. */
export function sendPing({ client, dialect, response }: LiveCall): void {
  if (client.signal.aborted || response.writableEnded) return
  if (!response.headersSent) {
    client.hasOnlyPings = true
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  }
  response.write(dialect.ping())
}
