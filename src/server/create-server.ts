import type { IncomingMessage, ServerResponse } from 'node:http'
import type { LedgerStore } from '../core/index.ts'
import { hostsOf } from '../gateway/http/gateway-hosts.ts'
import type { OtherRequests } from '../gateway/index.ts'
import type { Metrics } from '../observe/metrics/index.ts'
import type { ParsedLimits } from '../policy/index.ts'
import { answerApi } from './answer-api.ts'
import { assertOwnAddress, type OwnAddress } from './http/assert-own-address.ts'
import { badRequest, isFault, refusalFrom } from './http/refusals.ts'
import { readRequestHeaders } from './http/request-headers.ts'
import { sendJson } from './http/send.ts'
import { createLiveTree } from './live/live-tree.ts'
import { createStreams, type StreamBounds } from './live/streams.ts'
import { openapiDocument } from './openapi/openapi-document.ts'
import { createStaticFiles } from './pages/static-files.ts'
import { createReports } from './reports/reports.ts'
import { isApiPath } from './routes/find-api-route.ts'
import type { Server } from './server.ts'
import type { RunStarter, ServerContext } from './server-context.ts'
import { createApiKeys } from './session/api-keys.ts'
import { cookieName } from './session/session-cookie.ts'
import { createSessions } from './session/sessions.ts'
import { createSignInLinks } from './session/sign-in-links.ts'
import { createSigningSecret } from './session/signing-secret.ts'

export interface ServerOptions {
  readonly store: LedgerStore
  /** The version of the program. */
  readonly version: string
  /** The name in the journal of the user who opens a link. */
  readonly userName: string
  /** The names of the gateway's upstreams. */
  readonly upstreams: readonly string[]
  readonly ceilings: readonly ParsedLimits[]
  readonly tasksFolder: string
  /** Where the built page is; `null`: nowhere. */
  readonly pagesFolder: string | null
  readonly starter: RunStarter
  readonly metrics: Pick<Metrics, 'scrape' | 'contentType'>
  isHolderAlive(holder: string): boolean | null
  nowMs(): number
  /** Called with faults: our own, and those of the ledger. */
  onFault(error: unknown): void
  readonly streams?: StreamBounds
}

/** Where a server can be reached. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
  /** Names under which clients may call it, in addition to the loopback ones. */
  readonly allowedHosts: readonly string[]
  readonly isEncrypted: boolean
  /** The name of the proxy in front, which speaks HTTPS; `null` without one. */
  readonly proxyName: string | null
  /** Whether only this machine can reach it. */
  readonly isLocal: boolean
}

/** The HTTP API, the live stream and the page, for the port of a gateway. */
export interface ApiServer extends OtherRequests {
  /** From now on it answers, under these names only. */
  listensOn(address: ServerAddress): void
  /** The token of a new link, which works once, for 5 minutes; `null` where links are not taken. */
  createLink(): string | null
}

/** Creates the server. It is handed its requests by the gateway, and refuses all until it is told its address. */
export function createApiServer(options: ServerOptions): ApiServer {
  const { store, nowMs, version, onFault } = options
  const sessions = createSessions(createSigningSecret(store, nowMs), nowMs)
  const keys = createApiKeys(store, nowMs)
  const tree = createLiveTree(options)
  const reports = createReports(nowMs)
  const context: ServerContext = { ...options, sessions, keys, links: createSignInLinks(nowMs), tree, reports }
  const streams = createStreams(tree, onFault, options.streams)
  const sendFile = createStaticFiles(options.pagesFolder)
  let openapi: object | null = null
  let listening: { readonly server: Server; readonly own: OwnAddress } | null = null

  async function answerChecked(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (listening === null) throw badRequest('The server is starting.')
    const target = request.url ?? ''
    if (!target.startsWith('/')) throw badRequest('The target of the request must be a path, not an address.')
    const headers = readRequestHeaders(request.rawHeaders)
    const ownOrigin = assertOwnAddress(headers, listening.own)
    const [path = ''] = target.split('?', 1)
    if (isApiPath(path)) return answerApi(listening.server, { request, response, headers, ownOrigin })
    if (path === '/openapi.json') {
      openapi ??= openapiDocument(version)
      return sendJson(response, 200, openapi)
    }
    sendFile(request, response, path, headers)
  }

  return {
    async answer(request, response) {
      try {
        await answerChecked(request, response)
      } catch (error) {
        if (isFault(error)) onFault(error)
        const { status, body } = refusalFrom(error)
        // An unread body would be taken for the next request.
        sendJson(response, status, body, { closes: hasBody(request) && !request.complete })
      }
    },
    listensOn({ host, port, allowedHosts, isEncrypted, proxyName, isLocal }) {
      const names = proxyName === null ? allowedHosts : [...allowedHosts, proxyName]
      const hosts = hostsOf(host, port, names)
      const isSecure = isEncrypted || proxyName !== null
      const cookie = { name: cookieName(port), isSecure }
      const identification = { sessions, keys, cookieName: cookie.name }
      const takesLinks = isLocal && proxyName === null
      const scheme = isEncrypted ? 'https' : 'http'
      const proxy = proxyName?.toLowerCase() ?? null
      listening = {
        server: { context, identification, cookie, takesLinks, streams },
        own: { hosts, scheme, proxyName: proxy },
      }
    },
    createLink: () => (listening?.server.takesLinks === true ? context.links.create() : null),
    close: () => streams.close(),
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
