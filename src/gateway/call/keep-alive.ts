import type { Holding } from './client-sink.ts'
import type { LiveCall } from './live-call.ts'

/** Keep-alives for a streaming client, from the start of an answer that is held back until it is sent. */
export function keepAlive({ bounds, client, dialect, request, response }: LiveCall): Holding {
  let timer: NodeJS.Timeout | null = null
  const ping = (): void => {
    if (client.signal.aborted || response.writableEnded) return
    if (!response.headersSent) {
      client.hasOnlyPings = true
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
    }
    response.write(dialect.ping())
  }
  return {
    begin() {
      if (request.isStream) timer ??= setInterval(ping, bounds.pingMs)
    },
    end() {
      if (timer !== null) clearInterval(timer)
      timer = null
    },
  }
}
