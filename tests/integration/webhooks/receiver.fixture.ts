import { createServer, type IncomingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly path: string
}

/** A receiver on loopback. `answer` says what each request gets: a status, or silence. */
export async function startReceiver(answer: (received: Received, count: number) => number | 'nothing' = () => 204) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      const each = { headers: request.headers, body, path: request.url ?? '' }
      received.push(each)
      const status = answer(each, received.length)
      if (status === 'nothing') return
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {})
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return { received, url: `http://127.0.0.1:${address.port}/hook`, port: address.port }
}
