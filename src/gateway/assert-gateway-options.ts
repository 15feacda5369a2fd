import { assertKnownOptions, optionNames } from '../core/index.ts'
import type { GatewayBounds, GatewayOptions, Upstream, Upstreams } from './gateway.ts'

const OPTIONS = optionNames<GatewayOptions>({
  upstreams: true,
  admission: true,
  onCall: true,
  onRequest: true,
  host: true,
  port: true,
  sharesConversations: true,
  allowedHosts: true,
  allowsUnboundedTools: true,
  onGiveUp: true,
  otherRequests: true,
  tls: true,
  bounds: true,
})
const TLS = optionNames<NonNullable<GatewayOptions['tls']>>({ cert: true, key: true })
const UPSTREAMS = optionNames<Upstreams>({ anthropic: true, openai: true })
const UPSTREAM = optionNames<Upstream>({ baseUrl: true, apiKey: true, keyHeader: true, unusable: true })
const BOUNDS = optionNames<Partial<GatewayBounds>>({
  bodyBytes: true,
  headerBytes: true,
  memoryBytes: true,
  clientHeadersMs: true,
  clientBodyMs: true,
  connections: true,
  agents: true,
  headersTimeoutMs: true,
  idleTimeoutMs: true,
  totalTimeoutMs: true,
  drainBytes: true,
  drainMs: true,
  waitMs: true,
  pauseMs: true,
  lapseMs: true,
  lapseWithToolsMs: true,
  pingMs: true,
})

/** Refuses a misspelled option of a gateway, of one of its upstreams or of its bounds. */
export function assertGatewayOptions(options: GatewayOptions): void {
  assertKnownOptions('startGateway', options, OPTIONS)
  const { upstreams, tls, bounds } = options
  assertKnownOptions('startGateway({ upstreams })', upstreams, UPSTREAMS)
  for (const [name, upstream] of Object.entries(upstreams)) {
    if (upstream !== undefined) assertKnownOptions(`startGateway({ upstreams: { ${name} } })`, upstream, UPSTREAM)
  }
  if (tls !== undefined) assertKnownOptions('startGateway({ tls })', tls, TLS)
  if (bounds !== undefined) assertKnownOptions('startGateway({ bounds })', bounds, BOUNDS)
}
