import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ScopeAbout, SlotList } from '../core/index.ts'
import { edgeOf } from '../governor/edge.ts'
import type { Scope } from '../governor/index.ts'
import type { LearnedSizes } from '../loop/prompt/learned-sizes.ts'
import { nextTurn } from '../system/index.ts'
import type { AgentScopes } from './agents/agent-scopes.ts'
import { stateOf } from './agents/agent-state.ts'
import { type Caller, callerFrom } from './agents/caller.ts'
import type { CarriedReservations } from './call/carried-reservation.ts'
import { carryCall } from './call/carry-call.ts'
import { type Client, watchClient } from './call/client.ts'
import { governRequest } from './call/govern-request.ts'
import { passThrough } from './call/pass-through.ts'
import { refuseBreached, refuseFailed } from './call/refuse-call.ts'
import type { RequestMemory } from './call/request-memory.ts'
import type { Dialect, DialectName } from './dialects/dialect.ts'
import type { GatewayBounds, GatewayOptions, RequestEnd, Upstreams } from './gateway.ts'
import { billingSafeHeaders } from './http/billing-safe-headers.ts'
import { type ClientHeaders, readClientHeaders } from './http/client-headers.ts'
import { readBody } from './http/read-body.ts'
import { refuse } from './http/refuse.ts'
import { type FoundRoute, findRoute } from './routes/find-route.ts'
import { type Credentials, credentialsOf } from './routes/key-of.ts'
import type { SentRequest } from './upstream/exchange.ts'
import type { UpstreamPool } from './upstream/upstream-pool.ts'

/** What all requests of one gateway share. */
export interface GatewayContext {
  readonly options: GatewayOptions
  readonly bounds: GatewayBounds
  readonly dialects: Readonly<Record<DialectName, Dialect>>
  readonly pools: Readonly<Partial<Record<keyof Upstreams, UpstreamPool>>>
  readonly agents: AgentScopes
  readonly reservations: CarriedReservations
  readonly sizes: LearnedSizes
  readonly requests: RequestMemory
  readonly clients: SlotList<Client>
  hosts: ReadonlySet<string>
  isClosing: boolean
}

/** The path of every request: it is validated before its key is checked, and its key before its body is read. */
export async function handleRequest(
  context: GatewayContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { dialects, pools, options, hosts } = context
  const target = request.url ?? ''
  const headers = readClientHeaders(request.rawHeaders, hosts)
  const isOriginForm = target.startsWith('/')
  const found = findRoute(request.method, isOriginForm ? target : '/')
  const dialect = dialects[found.route?.dialect ?? (found as { dialect: DialectName }).dialect]
  if (context.isClosing) {
    refuse(response, dialect, { kind: 'internal', message: 'The gateway is closing.' }, { status: 503, closes: true })
    return
  }
  if (headers.fault !== null) return refuse(response, dialect, headers.fault, { closes: hasBody(request) })
  if (!isOriginForm) {
    const message = 'The target of the request must be a path, not an address.'
    return refuse(response, dialect, { kind: 'bad-request', message }, { closes: hasBody(request) })
  }
  if (found.route === null) {
    refuse(response, dialect, found.error, { closes: hasBody(request) })
    return tellUnserved(context, request, headers, found.key)
  }
  const pool = pools[found.route.upstream]
  if (pool === undefined) {
    const example = found.route.upstream === 'anthropic' ? 'ANTHROPIC_API_KEY' : 'OPENAI_API_KEY'
    const message =
      `No upstream is configured for ${found.route.upstream}. Its operator can add one to the config: ` +
      `upstreams: { ${found.route.upstream}: { apiKeyEnv: ${example} } }.`
    return refuse(response, dialect, { kind: 'not-found', message }, { closes: hasBody(request) })
  }
  const credentials = credentialsOf(headers, found.key)
  const scope = credentials.key === null ? null : await options.admission.scopeOf(credentials.key)
  if (scope === null) {
    const message = 'The request has no key of this gateway, or an unknown one.'
    return refuse(response, dialect, { kind: 'unauthorized', message }, { closes: hasBody(request) })
  }
  const client = watchClient(response)
  const leave = context.clients.enter(client)
  try {
    const end = await serve(context, { request, response, client, headers, found, dialect, scope, pool, credentials })
    if (found.route.kind === 'call' && options.onRequest !== undefined) tellEnd(context, scope, end)
  } finally {
    leave()
  }
}

interface Admitted {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly client: Client
  readonly headers: ClientHeaders
  readonly found: FoundRoute
  readonly dialect: Dialect
  readonly scope: Scope
  readonly pool: UpstreamPool
  readonly credentials: Credentials
}

async function serve(context: GatewayContext, admitted: Admitted): Promise<RequestEnd> {
  const { request, response, client, headers, found, dialect, scope, pool } = admitted
  const { bounds } = context
  const caller = callerFrom(headers)
  try {
    const body = found.route.method === 'POST' ? await readBody(request, bounds.bodyBytes) : null
    if (body === null && found.route.method === 'POST') {
      const message = `The body is longer than ${bounds.bodyBytes} bytes.`
      refuse(response, dialect, { kind: 'too-large', message }, { closes: true })
      return 'refused-by-stint'
    }
    if (pool.unusable !== null) {
      refuse(response, dialect, { kind: 'forbidden', message: pool.unusable })
      return 'refused-by-stint'
    }
    if (found.route.kind === 'call') return await serveCall(context, admitted, body!, caller)
    await serveAside(context, admitted, body, caller)
    return 'answered'
  } catch (error) {
    return refuseFailed({ response, client, dialect, caller, scope, keyScope: scope }, error)
  }
}

/** A model request to an unknown address was refused by us, too. */
async function tellUnserved(
  context: GatewayContext,
  request: IncomingMessage,
  headers: ClientHeaders,
  keyInPath: string | null,
): Promise<void> {
  const { key } = credentialsOf(headers, keyInPath)
  if (request.method !== 'POST' || key === null) return
  const scope = await context.options.admission.scopeOf(key)
  if (scope !== null) tellEnd(context, scope, 'refused-by-stint')
}

function tellEnd({ options }: GatewayContext, { id: runId }: Scope, end: RequestEnd): void {
  try {
    options.onRequest?.({ runId, end })
  } catch {
    // A listener that throws must not affect the request.
  }
}

// A shorter body is read in one step, in a millisecond at most. Several long bodies that arrive together are read one
// after the other, with other ready work before each.
const LONG_BODY_BYTES = 262_144

async function serveCall(
  context: GatewayContext,
  admitted: Admitted,
  body: Buffer,
  caller: ReturnType<typeof callerFrom>,
): Promise<RequestEnd> {
  const { response, client, headers, dialect, scope: keyScope } = admitted
  const { options, bounds, agents, reservations, sizes, requests } = context
  const isLong = body.length > LONG_BODY_BYTES
  if (isLong) await nextTurn()
  const request = requests.read(dialect, keyScope.id, body)
  if (isLong) await nextTurn()
  const target = targetOf(admitted)
  // Prompts of one model and one program are alike.
  const promptKind = `${request.model}\n${caller.program}`
  const shared = {
    ...{ options, bounds, reservations, sizes, promptKind },
    ...{ response, client, dialect, request, caller, keyScope, target },
  }
  const reservationId = headers.known.get('x-stint-reservation')
  const carried = reservationId === undefined ? null : await reservations.take(keyScope, reservationId)
  const carriedEnd = carried === null ? null : await carryCall(shared, carried)
  if (carriedEnd !== null) return carriedEnd
  const scope = await agents.scopeFor(keyScope, caller, request, () => aboutCaller(context, admitted, caller))
  const agent = agents.begin(scope)
  let end: RequestEnd | null = null
  try {
    end = await governRequest({
      ...shared,
      scope,
      state: stateOf(scope),
      limits: edgeOf(scope).pathLimits(),
      isCarried: false,
      keepLearned: () => (agent === null ? Promise.resolve() : agents.keep(agent)),
    })
    return end
  } finally {
    if (agent !== null) agents.end(agent, end)
  }
}

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/

/** What the history says of an agent behind the gateway: its program, whose key it has, and from where. */
function aboutCaller(
  { options: { admission } }: GatewayContext,
  { request, credentials }: Admitted,
  { program, sessionId }: Caller,
): ScopeAbout {
  const address = request.socket.remoteAddress ?? ''
  const by = credentials.key === null ? null : (admission.nameOf?.(credentials.key) ?? null)
  const session = sessionId === null ? '' : ` session ${sessionId}`
  return {
    ...(program === '' ? {} : { command: `${program}${session}` }),
    ...(by === null ? {} : { by }),
    ...(address === '' || LOOPBACK.test(address) ? {} : { host: address }),
  }
}

// The meters that must not be used up for a request about a model call.
const PAID_METERS = ['modelCalls', 'tokens', 'outputTokens', 'uncachedTokens', 'cost'] as const

/** Counting tokens and listing models costs nothing, but is only for callers that could make a call. */
async function serveAside(
  { bounds }: GatewayContext,
  admitted: Admitted,
  body: Buffer | null,
  caller: ReturnType<typeof callerFrom>,
): Promise<void> {
  const { response, client, dialect, scope } = admitted
  const room = await scope.reserve({}, { waitMs: 0 })
  const answered = { response, client, dialect, caller, scope, keyScope: scope }
  if (room.kind === 'refused') return void refuseBreached(answered, room.breaches)
  try {
    const emptied = await edgeOf(scope).emptiedOnPath(PAID_METERS)
    if (emptied !== null) return void refuseBreached(answered, [emptied])
    await passThrough({ ...targetOf(admitted), body }, response, client, bounds)
  } finally {
    await room.release()
  }
}

/**
 * Where a request goes, and with which credentials: only the operator decides. Our key is never forwarded, wherever it
 * was.
 */
function targetOf({ found, pool, headers, credentials }: Admitted): Omit<SentRequest, 'body'> {
  const { route, query } = found
  const { key } = credentials
  const said = pool.credentials === null ? headers.passedOn : billingSafeHeaders(headers.passedOn)
  const passedOn: string[] = []
  for (let index = 0; index < said.length; index += 2) {
    const value = said[index + 1]!
    if (key === null || !value.includes(key)) passedOn.push(said[index]!, value)
  }
  return {
    pool: pool.pool,
    method: route.method,
    path: `${pool.basePath}${route.target}${key !== null && query.includes(key) ? '' : query}`,
    headers: [...passedOn, ...(pool.credentials ?? credentials.own), 'accept-encoding', 'identity'],
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
