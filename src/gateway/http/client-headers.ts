import type { WireError } from '../dialects/dialect.ts'

/** The headers of a request, read once from their raw form. */
export interface ClientHeaders {
  /** What is wrong with them; `null` if nothing is. */
  readonly fault: WireError | null
  /**
   * Names and values alternating, as forwarded to the upstream: without credentials, our own headers and those of this
   * hop.
   */
  readonly passedOn: readonly string[]
  /** The values of the headers that we read ourselves, by lower-case name. */
  readonly known: ReadonlyMap<string, string>
}

// If one of these appears twice, two readers may believe different ones.
const ONCE: ReadonlySet<string> = new Set([
  'host',
  'origin',
  'authorization',
  'x-api-key',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'x-stint-key',
  'x-stint-reservation',
  'x-stint-agent',
  'x-claude-code-session-id',
  'x-claude-code-agent-id',
  'x-claude-code-parent-agent-id',
  'x-codex-turn-metadata',
  'x-session-id',
])

// For this hop only, or set again for the next one. Answers come uncompressed, so that they can be read on the way.
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'http2-settings',
  'content-length',
  'accept-encoding',
  'authorization',
  'x-api-key',
  'origin',
  // Those of our own page, which browsers send along to every port of a host.
  'cookie',
  // The route table alone decides what is done at the upstream.
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
])

const PLAIN_CONNECTION = /^(?:,(?:keep-alive|close))?$/

/** Reads the headers of a request. `hosts`: the names under which the gateway may be called. */
export function readClientHeaders(rawHeaders: readonly string[], hosts: ReadonlySet<string>): ClientHeaders {
  const passedOn: string[] = []
  const known = new Map<string, string>()
  let repeated: string | null = null
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase()
    const value = rawHeaders[index + 1]!
    if (ONCE.has(name)) {
      if (known.has(name)) repeated ??= name
      known.set(name, value)
    }
    if (name === 'user-agent' && !known.has(name)) known.set(name, value)
    if (name === 'connection') known.set(name, `${known.get(name) ?? ''},${value.toLowerCase()}`)
    if (!NOT_PASSED_ON.has(name) && !name.startsWith('x-stint-')) passedOn.push(name, value)
  }
  const connection = known.get('connection') ?? ''
  const kept = PLAIN_CONNECTION.test(connection) ? passedOn : withoutHopNames(passedOn, connection)
  return { fault: faultOf(known, repeated, hosts), passedOn: kept, known }
}

function faultOf(
  known: ReadonlyMap<string, string>,
  repeated: string | null,
  hosts: ReadonlySet<string>,
): WireError | null {
  if (repeated !== null) return { kind: 'bad-request', message: `The header ${repeated} appears twice. Send it once.` }
  const host = known.get('host')
  if (host === undefined || !hosts.has(host.toLowerCase())) {
    return { kind: 'forbidden', message: 'The Host header does not name this gateway. Call it by its own address.' }
  }
  if (known.has('origin')) {
    return { kind: 'forbidden', message: 'Web pages may not call this gateway: the request has an Origin header.' }
  }
  const encoding = known.get('content-encoding')
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return { kind: 'bad-request', message: 'The body is compressed. Send it as plain JSON.' }
  }
  return null
}

/** A client may name further headers that are meant for this hop only. */
function withoutHopNames(passedOn: readonly string[], connection: string): readonly string[] {
  const named = new Set(connection.split(',').map((name) => name.trim()))
  const kept: string[] = []
  for (let index = 0; index < passedOn.length; index += 2) {
    if (!named.has(passedOn[index]!)) kept.push(passedOn[index]!, passedOn[index + 1]!)
  }
  return kept
}
