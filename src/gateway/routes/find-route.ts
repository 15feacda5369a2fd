import type { DialectName, WireError } from '../dialects/dialect.ts'
import { ROUTES, type Route } from './routes.ts'

/** A target in the table, with what its address says in addition to the route. */
export interface FoundRoute {
  readonly route: Route
  /** The key in the path (`/k/KEY/…`); `null` if it must be in a header. */
  readonly key: string | null
  /** Including its question mark; empty without one. */
  readonly query: string
}

/** Why a target has no route, and in which dialect to say so. */
export interface NoRoute {
  readonly route: null
  /** The key in the path, if there is one. */
  readonly key: string | null
  readonly dialect: DialectName
  readonly error: WireError
}

const KEY_PREFIX = '/k/'
const BY_PATH = new Map(ROUTES.map((route) => [route.path, route]))

/** Whether an address is the gateway's to answer, even if there is nothing there. */
export function isGatewayTarget(target: string): boolean {
  return target.startsWith('/anthropic/') || target.startsWith('/openai/') || target.startsWith(KEY_PREFIX)
}

/** The route of a request. Paths are compared literally: nothing is decoded, and no dot segments are resolved. */
export function findRoute(method: string | undefined, target: string): FoundRoute | NoRoute {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const keyEnd = path.startsWith(KEY_PREFIX) ? path.indexOf('/', KEY_PREFIX.length) : 0
  const rest = keyEnd === -1 ? '' : path.slice(keyEnd)
  const route = BY_PATH.get(rest)
  const key = keyEnd > 0 ? path.slice(KEY_PREFIX.length, keyEnd) : null
  const dialect = rest.startsWith('/openai/') ? 'openai-chat' : 'anthropic-messages'
  if (route === undefined) {
    const message = `The gateway does not serve this address. It serves: ${SERVED}`
    return { route: null, key, dialect, error: { kind: 'not-found', message } }
  }
  if (route.method !== method) {
    const message = `This address takes ${route.method} only.`
    return { route: null, key, dialect, error: { kind: 'not-found', message } }
  }
  return { route, key, query: mark === -1 ? '' : target.slice(mark) }
}

const SERVED = `${ROUTES.map(({ method, path }) => `${method} ${path}`).join(', ')}.`
