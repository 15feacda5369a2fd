import type { IncomingHttpHeaders } from 'node:http'
import type { Meter } from '../../core/index.ts'

// Of the upstream's hop only, or about bytes that may not be those that we send.
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
])

export type AnswerHeaders = Record<string, string | string[]>

/** The headers of an answer as the client gets them. */
export function answerHeaders(upstream: IncomingHttpHeaders): AnswerHeaders {
  const headers: AnswerHeaders = {}
  for (const name in upstream) {
    const value = upstream[name]
    if (value !== undefined && !NOT_PASSED_ON.has(name)) headers[name] = value
  }
  return headers
}

/** How the budget of a call stands, for whoever reads headers. Money is in nano-USD, time in milliseconds. */
export function budgetHeaders(
  scopePath: string,
  remaining: ReadonlyMap<Meter, number>,
  clampedTo: number | null,
): AnswerHeaders {
  const headers: AnswerHeaders = { 'x-stint-scope': shownPath(scopePath) }
  if (remaining.size > 0) {
    headers['x-stint-remaining'] = Array.from(remaining, ([meter, left]) => `${meter}=${left}`).join(', ')
  }
  if (clampedTo !== null) headers['x-stint-clamped'] = String(clampedTo)
  return headers
}

// Clients take 16 KiB of headers in all, and lose the answer with one byte more.
const LONGEST_PATH = 1_024

/** Percent-encoded. Of a path that is too long its end is shown, which tells scopes apart. */
function shownPath(scopePath: string): string {
  // Written and read once, so that there is no half of a character, which cannot be encoded.
  const path = encodeURI(Buffer.from(scopePath).toString())
  if (path.length <= LONGEST_PATH) return path
  const start = path.indexOf('/', path.length - LONGEST_PATH)
  return start === -1 ? '...' : `...${path.slice(start)}`
}
