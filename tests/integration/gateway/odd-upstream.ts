import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** An answer as some upstream would write it, byte for byte. */
export interface OddAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The chunks of its body, each written by itself. */
  readonly body: readonly (string | Buffer)[]
}

export interface OddUpstream {
  readonly url: string
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[]
}

/** An upstream that says what it is told, however wrong that is. Ends with the test. */
export async function startOddUpstream(answer: OddAnswer): Promise<OddUpstream> {
  const requests: { path: string; headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(pieces).toString() })
      const { status = 200, headers = { 'content-type': 'application/json' }, body } = answer
      const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
      // Past node's own checks: others write what they like.
      const socket = response.socket!
      socket.write(Buffer.from(`HTTP/1.1 ${status} OK\r\n${lines.join('')}\r\n`, 'utf8'))
      for (const piece of body) socket.write(piece)
      socket.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** An upstream whose streams begin, and end when they are released. Ends with the test. */
export async function startHeldUpstream(
  beginning: readonly string[],
): Promise<{ readonly url: string; release(): void }> {
  const held = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of beginning) response.write(piece)
    held.add(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    release() {
      for (const response of held) response.end()
      held.clear()
    },
  }
}

/** Events as the providers write them. */
export function sse(...events: readonly unknown[]): string[] {
  return events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
}
