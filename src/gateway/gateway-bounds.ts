import { assertWholeNumber } from '../core/index.ts'
import type { GatewayBounds } from './gateway.ts'

const MEGABYTE = 1_048_576
const MINUTE_MS = 60_000

// Bodies: what Anthropic accepts. Headers of the upstream: a model that thinks without streaming is silent for minutes.
const DEFAULT_BOUNDS: GatewayBounds = {
  bodyBytes: 32 * MEGABYTE,
  headerBytes: 65_536,
  memoryBytes: 64 * MEGABYTE,
  clientHeadersMs: 30_000,
  clientBodyMs: 2 * MINUTE_MS,
  connections: 4_096,
  agents: 256,
  headersTimeoutMs: 15 * MINUTE_MS,
  idleTimeoutMs: 5 * MINUTE_MS,
  totalTimeoutMs: 60 * MINUTE_MS,
  drainBytes: 4 * MEGABYTE,
  drainMs: 30_000,
  waitMs: 2 * MINUTE_MS,
  pauseMs: 5 * MINUTE_MS,
  lapseMs: 2 * MINUTE_MS,
  lapseWithToolsMs: 10 * MINUTE_MS,
  pingMs: 10_000,
}

const LONGEST = 2 ** 31 - 1

/** The bounds of a gateway, with defaults filled in. Throws for an invalid one. */
export function boundsFrom(given: Partial<GatewayBounds> = {}): GatewayBounds {
  const bounds = { ...DEFAULT_BOUNDS, ...given }
  for (const [name, value] of Object.entries(bounds)) {
    assertWholeNumber(`startGateway({ bounds: { ${name} } })`, value, 1, LONGEST)
  }
  return bounds
}
