import { badRequest } from './refusals.ts'

// If one of these appears twice, two readers may believe different ones.
const ONCE: ReadonlySet<string> = new Set([
  'host',
  'origin',
  'cookie',
  'authorization',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'sec-fetch-site',
  'x-stint-session',
  'last-event-id',
  'if-none-match',
])

/** The headers that the server reads, by lower-case name. Throws if one of them appears twice. */
export function readRequestHeaders(rawHeaders: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase()
    if (!ONCE.has(name)) continue
    if (headers.has(name)) throw badRequest(`The header ${name} appears twice. Send it once.`)
    headers.set(name, rawHeaders[index + 1]!)
  }
  return headers
}
