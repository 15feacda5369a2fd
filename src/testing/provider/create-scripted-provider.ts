import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { assertKnownOptions } from './assert-known-options.ts'
import type { CountRecord } from './provider-count.ts'
import type { RecordedRequest, ScriptedProvider, ScriptedProviderOptions } from './scripted-provider.ts'
import { answerCount } from './server/answer-count.ts'
import { handleRequest } from './server/handle-request.ts'
import { createProviderState } from './server/provider-state.ts'
import { type Route, routeOf } from './server/routes.ts'

const OPTIONS = {
  script: true,
  counts: true,
  models: true,
  bytesPerToken: true,
  apiKeys: true,
  caching: true,
  smallestCachedTokens: true,
  maxKeptRequests: true,
  host: true,
  port: true,
  now: true,
} as const

/**
 * A provider on loopback that follows a script, refuses what real providers refuse, and keeps its own book: its own token
 * counts, its own prices, integers only. It shares no code with what it tests.
 */
export async function createScriptedProvider(options: ScriptedProviderOptions = {}): Promise<ScriptedProvider> {
  assertKnownOptions('createScriptedProvider', options, OPTIONS)
  const { host = '127.0.0.1', port = 0, maxKeptRequests = 10_000 } = options
  const state = createProviderState(options)
  const requests: RecordedRequest[] = []
  const counts: CountRecord[] = []
  const waiters = new Set<{ readonly condition: () => boolean; readonly resolve: () => void }>()
  let requestCount = 0
  let countCount = 0
  let inFlight = 0
  let mostInFlight = 0

  const changed = () => {
    for (const waiter of waiters) {
      if (!waiter.condition()) continue
      waiters.delete(waiter)
      waiter.resolve()
    }
  }

  const takeCount = (route: Route, message: IncomingMessage, response: ServerResponse) => {
    const { url: path = '', headers } = message
    const arrived = { number: ++countCount, dialect: route.dialect.name, path, headers, body: Buffer.alloc(0) }
    counts.push({ ...arrived, outcome: 'running', status: 0, inputTokens: null })
    if (counts.length > maxKeptRequests) counts.shift()
    changed()
    void answerCount(state, route.dialect, message, response, arrived, (count) => {
      const place = counts.length - 1 - (countCount - count.number)
      if (place >= 0) counts[place] = count
      changed()
    })
  }
  const server = createServer((message, response) => {
    const { method = '', url = '', headers, rawHeaders } = message
    const route = routeOf(method, url, headers)
    if (route.kind === 'count-tokens') return takeCount(route, message, response)
    requestCount++
    inFlight++
    mostInFlight = Math.max(mostInFlight, inFlight)
    const arrived = { number: requestCount, method, path: url, headers, rawHeaders, body: Buffer.alloc(0) }
    requests.push(arrived)
    if (requests.length > maxKeptRequests) requests.shift()
    const record = (request: RecordedRequest) => {
      const place = requests.length - 1 - (requestCount - request.number)
      if (place >= 0) requests[place] = request
      changed()
    }
    changed()
    void handleRequest(state, route, message, response, arrived, record).finally(() => {
      inFlight--
      changed()
    })
  })
  // A request may wait long at a gate; the test's own timeout is the bound.
  server.requestTimeout = 0
  server.headersTimeout = 0
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  const url = `http://${host}:${address.port}`

  const provider: ScriptedProvider = {
    url,
    openaiUrl: `${url}/v1`,
    port: address.port,
    requests,
    counts,
    get requestCount() {
      return requestCount
    },
    get inFlight() {
      return inFlight
    },
    get mostInFlight() {
      return mostInFlight
    },
    book: () => state.keeper.book(),
    play: state.play,
    playCounts: state.playCounts,
    forgetPrompts: () => state.cache.forget(),
    until: (condition) =>
      new Promise((resolve) => {
        waiters.add({ condition: () => condition(provider), resolve })
        changed()
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return provider
}
