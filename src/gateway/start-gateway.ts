import type { Server, ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSlotList, type SlotList } from '../core/index.ts'
import { createLearnedSizes } from '../loop/prompt/learned-sizes.ts'
import { createAgentScopes } from './agents/agent-scopes.ts'
import { assertGatewayOptions } from './assert-gateway-options.ts'
import { createCarriedReservations } from './call/carried-reservation.ts'
import { createRequestMemory } from './call/request-memory.ts'
import { DIALECTS } from './dialects/dialects.ts'
import type { Gateway, GatewayBounds, GatewayOptions, Upstreams } from './gateway.ts'
import { boundsFrom } from './gateway-bounds.ts'
import { type GatewayContext, handleRequest } from './handle-request.ts'
import { hostsOf } from './http/gateway-hosts.ts'
import { createServer } from './http/node-http.ts'
import { isGatewayTarget } from './routes/find-route.ts'
import { createUpstreamPool, type UpstreamPool } from './upstream/upstream-pool.ts'

const DEFAULT_GRACE_MS = 10_000
const KEEP_ALIVE_MS = 60_000

/** Starts a gateway. It listens when this resolves; rejects if the port is taken. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  assertGatewayOptions(options)
  const { host = '127.0.0.1', port = 0, upstreams, allowedHosts = [] } = options
  const bounds = boundsFrom(options.bounds)
  const context: GatewayContext = {
    options,
    bounds,
    dialects: DIALECTS,
    pools: poolsOf(upstreams, bounds),
    agents: createAgentScopes({ ...bounds, isShared: options.sharesConversations ?? false }),
    reservations: createCarriedReservations(),
    sizes: createLearnedSizes(),
    requests: createRequestMemory(bounds.memoryBytes),
    clients: createSlotList(),
    hosts: new Set(),
    isClosing: false,
  }
  const underway = createSlotList<Promise<void>>()
  const server = createGatewayServer(context, underway)
  await listen(server, host, port)
  const address = server.address() as AddressInfo
  context.hosts = hostsOf(host, address.port, allowedHosts)
  const shownHost = host.includes(':') ? `[${host}]` : host
  let closing: Promise<void> | null = null
  return {
    host,
    port: address.port,
    url: `${options.tls === undefined ? 'http' : 'https'}://${shownHost}:${address.port}`,
    close(graceMs = DEFAULT_GRACE_MS) {
      // A repeated call can only shorten it.
      const cut = setTimeout(() => cutAll(context, server), graceMs)
      closing ??= closeGateway(context, server, underway)
      return closing.finally(() => clearTimeout(cut))
    },
  }
}

function poolsOf(upstreams: Upstreams, bounds: GatewayBounds): GatewayContext['pools'] {
  const pools: Partial<Record<keyof Upstreams, UpstreamPool>> = {}
  for (const name of ['anthropic', 'openai'] as const) {
    const upstream = upstreams[name]
    if (upstream !== undefined) pools[name] = createUpstreamPool(name, upstream, bounds)
  }
  return pools
}

function createGatewayServer(context: GatewayContext, underway: SlotList<Promise<void>>): Server {
  const { bounds, options } = context
  const { clientHeadersMs, clientBodyMs } = bounds
  const other = options.otherRequests ?? null
  const server = createListener(options, {
    maxHeaderSize: bounds.headerBytes,
    headersTimeout: clientHeadersMs,
    requestTimeout: Math.max(clientHeadersMs, clientBodyMs),
    connectionsCheckingInterval: Math.max(10, Math.min(30_000, Math.ceil(Math.min(clientHeadersMs, clientBodyMs) / 4))),
    keepAliveTimeout: KEEP_ALIVE_MS,
    joinDuplicateHeaders: false,
    requireHostHeader: false,
    noDelay: true,
  })
  server.maxConnections = bounds.connections
  server.on('request', (request, response) => {
    const isOther = other !== null && !isGatewayTarget(request.url ?? '')
    const answered = isOther ? other.answer(request, response) : handleRequest(context, request, response)
    const handled = answered.catch(() => {
      response.destroy()
    })
    void handled.finally(underway.enter(handled))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) return void socket.destroy()
    const status = STATUS_OF_FAULT[error.code ?? ''] ?? '400 Bad Request'
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  })
  return server
}

function createListener({ tls }: GatewayOptions, options: ServerOptions): Server {
  if (tls === undefined) return createServer(options)
  // Loaded only with a certificate.
  return process.getBuiltinModule('node:https').createServer({ ...options, ...tls, minVersion: 'TLSv1.2' })
}

const STATUS_OF_FAULT: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Leaves nothing open: what does not end by itself is aborted, and still accounted for. */
async function closeGateway(context: GatewayContext, server: Server, underway: Iterable<Promise<void>>): Promise<void> {
  context.isClosing = true
  context.options.otherRequests?.close()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  await settled(underway)
  server.closeAllConnections()
  await closed
  await context.agents.close()
  await Promise.all(Object.values(context.pools).map((upstream) => upstream.close()))
}

function cutAll({ clients }: GatewayContext, server: Server): void {
  for (const client of clients) client.cut()
  server.closeAllConnections()
}

async function settled(underway: Iterable<Promise<void>>): Promise<void> {
  for (let rest = [...underway]; rest.length > 0; rest = [...underway]) await Promise.all(rest)
}
