import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import type { Answer, RouteName, StreamEvents } from '../../../src/server/contract.ts'
import { REPOSITORY } from '../../house/repository.ts'

/** What an address answers: the same each time, or by what is asked. */
export type Answers = { readonly [Name in RouteName]?: Answer<Name> | ((query: URLSearchParams) => Answer<Name>) }

export interface ScriptedApi {
  readonly url: string
  send<Name extends keyof StreamEvents>(event: Name, data: StreamEvents[Name]): void
  /** How many pages follow the stream. */
  readonly followers: number
  close(): Promise<void>
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

/**
 * The built page with answers that a test makes up, for what no real ledger has: 10,000 scopes, and hostile strings in
 * every field.
 */
export async function startScriptedApi(answers: Answers): Promise<ScriptedApi> {
  const streams = new Set<ServerResponse>()
  let lastId = 0
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/api/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
      response.write(': hello\n\n')
      streams.add(response)
      response.on('close', () => streams.delete(response))
      return
    }
    if (pathname.startsWith('/api/'))
      return answer(response, answerTo(answers, request.method ?? 'GET', pathname, searchParams))
    sendFile(response, pathname === '/' ? '/index.html' : pathname)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    get followers() {
      return streams.size
    },
    send(event, data) {
      for (const stream of streams) stream.write(`id: ${++lastId}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answerTo(answers: Answers, method: string, path: string, query: URLSearchParams): unknown {
  const segments = path.split('/')
  const found = Object.entries(answers).find(([name]) => {
    const [routeMethod, routePath = ''] = name.split(' ')
    const parts = routePath.split('/')
    return (
      routeMethod === method &&
      parts.length === segments.length &&
      parts.every((part, index) => part.startsWith(':') || part === segments[index])
    )
  })
  const answer: unknown = found?.[1]
  return typeof answer === 'function' ? answer(query) : answer
}

function answer(response: ServerResponse, body: unknown): void {
  const refusal = { error: { code: 'not_found', message: 'The script has no answer for it.', retryable: false } }
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body ?? refusal))
}

function sendFile(response: ServerResponse, path: string): void {
  try {
    const body = readFileSync(join(REPOSITORY, 'dist/web', path))
    const type = TYPES[extname(path)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY })
    response.end(body)
  } catch {
    response.writeHead(404).end()
  }
}
