import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dialect, WireRequest } from '../../../src/gateway/dialects/dialect.ts'

/** What a client is to be sent. */
interface Answer {
  readonly status?: number
  readonly pieces: readonly Buffer[]
}

/** Answers as a gateway would, with whatever a test wants of a dialect. */
export interface DialectServer {
  readonly url: string
  /** How many requests have come. */
  requests(): number
  answerWith(answer: (request: WireRequest, dialect: Dialect) => Promise<Answer>): void
  close(): Promise<unknown>
}

/** Listens on loopback; the path of a request says which dialect it is in. */
export async function startDialectServer(dialectAt: (path: string) => Dialect): Promise<DialectServer> {
  let requests = 0
  let answer: (request: WireRequest, dialect: Dialect) => Promise<Answer> = async () => ({ status: 500, pieces: [] })
  const server = createServer(async (incoming, outgoing) => {
    requests++
    const body: Buffer[] = []
    for await (const piece of incoming) body.push(piece)
    const dialect = dialectAt(incoming.url ?? '')
    const request = dialect.readRequest(Buffer.concat(body))
    const { status = 200, pieces } = await answer(request, dialect)
    const isStream = request.isStream && status === 200
    outgoing.writeHead(status, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    for (const piece of pieces) outgoing.write(piece)
    outgoing.end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    answerWith(given) {
      answer = given
    },
    close: () => new Promise((closed) => server.close(closed)),
  }
}
