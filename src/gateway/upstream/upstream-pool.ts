import type { Pool } from 'undici'
import { InvalidOptionError } from '../../core/index.ts'
import type { GatewayBounds, Upstream, Upstreams } from '../gateway.ts'
import { createPool } from './create-pool.ts'

/** An upstream whose connections are kept open between requests. */
export interface UpstreamPool {
  /** Created on first use: many gateways are started and never called. */
  readonly pool: Pool
  /** The path of its base URL, without a trailing slash. */
  readonly basePath: string
  /** The names and values of its own key; `null`: the client's own credentials are forwarded. */
  readonly credentials: readonly string[] | null
  /** Why nothing can be sent to it; `null`: it can. */
  readonly unusable: string | null
  /** Closes every connection. */
  close(): Promise<void>
}

const MOST_CONNECTIONS = 1_024
const CONNECT_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 15_000

/** Opens nothing yet. Throws for an invalid address. */
export function createUpstreamPool(name: keyof Upstreams, upstream: Upstream, bounds: GatewayBounds): UpstreamPool {
  const url = readBaseUrl(name, upstream.baseUrl)
  let made: Pool | null = null
  const makePool = (): Pool =>
    createPool(url.origin, {
      connections: MOST_CONNECTIONS,
      pipelining: 1,
      headersTimeout: bounds.headersTimeoutMs,
      bodyTimeout: bounds.idleTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connect: { timeout: CONNECT_TIMEOUT_MS },
    })
  return {
    get pool() {
      made ??= makePool()
      return made
    },
    async close() {
      await made?.destroy()
    },
    basePath: url.pathname.replace(/\/+$/, ''),
    credentials: credentialsFrom(name, upstream),
    unusable: upstream.unusable ?? null,
  }
}

function readBaseUrl(name: string, baseUrl: string): URL {
  const place = `startGateway({ upstreams: { ${name}: { baseUrl } } })`
  const valid = 'an address like "https://api.anthropic.com", without a query or a password'
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url === null || !isHttp || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    // It may contain a password.
    throw new InvalidOptionError(place, '…', valid)
  }
  return url
}

function credentialsFrom(name: keyof Upstreams, { apiKey, keyHeader }: Upstream): readonly string[] | null {
  if (apiKey === null) return null
  const header = keyHeader ?? (name === 'anthropic' ? 'x-api-key' : 'authorization')
  return [header, header === 'authorization' ? `Bearer ${apiKey}` : apiKey]
}
