import type { IncomingHttpHeaders } from 'node:http'
import { METERS, type Meter, type Unit } from '../../core/index.ts'

// For the upstream's hop only, or about bytes that may differ from those we send.
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'content-encoding',
  'alt-svc',
  // About the upstream's host: here they would be about ours, where the dashboard is.
  'set-cookie',
  'clear-site-data',
  'strict-transport-security',
  'nel',
  'report-to',
  'reporting-endpoints',
])

/**
 * The headers of an answer for the client, names and values alternating. `budget` is about our budget: an upstream may
 * be a gateway too, and report another.
 */
export function answerHeaders(upstream: IncomingHttpHeaders, budget: readonly string[] | null): string[] {
  const headers: string[] = []
  for (const name in upstream) {
    const value = upstream[name]
    if (value === undefined || NOT_PASSED_ON.has(name) || budget?.includes(name)) continue
    if (typeof value === 'string') headers.push(name, value)
    else for (const each of value) headers.push(name, each)
  }
  if (budget !== null) headers.push(...budget)
  return headers
}

const UNITS: Readonly<Record<Unit, string>> = { count: '', tokens: '', nanoUsd: 'NanoUsd', milliseconds: 'Ms' }

/** The state of a call's budget, for programs that read headers: each meter with its unit in its name, as in JSON. */
export function budgetHeaders(
  shownScope: string,
  remaining: ReadonlyMap<Meter, number>,
  clampedTo: number | null,
): readonly string[] {
  const headers = ['x-stint-scope', shownScope]
  let shown = ''
  for (const [meter, left] of remaining)
    shown += `${shown === '' ? '' : ', '}${meter}${UNITS[METERS[meter].unit]}=${left}`
  if (shown !== '') headers.push('x-stint-remaining', shown)
  if (clampedTo !== null) headers.push('x-stint-clamped', String(clampedTo))
  return headers
}

// Clients accept 16 KiB of headers in total, and lose the answer beyond that.
const LONGEST_PATH = 1_024

/** The path of a scope in a header: percent-encoded. Of a long path the end is shown, which tells scopes apart. */
export function shownPath(scopePath: string): string {
  // Encoded and decoded once, so that no half character remains, which cannot be percent-encoded.
  const path = encodeURI(Buffer.from(scopePath).toString())
  if (path.length <= LONGEST_PATH) return path
  const start = path.indexOf('/', path.length - LONGEST_PATH)
  return start === -1 ? '...' : `...${path.slice(start)}`
}
