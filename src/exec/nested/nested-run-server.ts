import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  assertScopeName,
  type EndStatus,
  isEnded,
  isPlainObject,
  isStintError,
  STATUSES,
  StintError,
} from '../../core/index.ts'
import { createServer } from '../../gateway/http/node-http.ts'
import type { PriceList } from '../../pricing/index.ts'
import type { ProviderName } from '../../system/provider-variables.ts'
import type { KnownRun, Runs } from '../runs/create-runs.ts'
import { limitsFromJson } from './limits-from-json.ts'
import { type ScopeToken, signToken, verifyToken } from './scope-token.ts'

export interface NestedRunServerOptions {
  readonly runs: Runs
  readonly ledger: string
  readonly gatewayUrl: string
  /** The prices of the config. They apply to nested runs, whatever their own config says. */
  readonly prices: PriceList
  /** The providers whose keys the gateway has. */
  readonly providers: readonly ProviderName[]
}

/**
 * The server where a `stint` inside a command opens its run: a child scope in this ledger and a key on the existing
 * gateway, so that gateways are never chained. It listens on loopback, and accepts only tokens that it has issued.
 */
export interface NestedRunServer {
  /** The token of a run, for its command's environment. */
  tokenFor(scopeId: string): string
  close(): Promise<void>
}

const LONGEST_BODY = 256 * 1024
const MOST_CONNECTIONS = 256
const MOST_RUNS = 1000
const REQUEST_TIMEOUT_MS = 10_000

interface Answer {
  readonly status: number
  readonly body: object
}

/** Starts the server. Its secret lives as long as it does. */
export async function startNestedRunServer(options: NestedRunServerOptions): Promise<NestedRunServer> {
  const secret = randomBytes(32)
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS })
  server.maxConnections = MOST_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  server.unref()
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const { ledger, gatewayUrl } = options
  const tokenFor = (scopeId: string, isOwner = false): string =>
    signToken({ ledger, scopeId, gatewayUrl, serverUrl: `http://${host}`, isOwner }, secret)
  server.on('request', (request, response) => {
    const isForUs = request.headers.host === host && request.headers.origin === undefined
    const token = isForUs ? tokenOf(request, secret) : null
    const work = token === null ? refuseToken() : serve({ ...options, tokenFor }, token, request)
    void work.catch(answerError).then((answer) => send(response, answer))
  })
  return {
    tokenFor,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function tokenOf({ headers }: IncomingMessage, secret: Buffer): ScopeToken | null {
  const [scheme, text, ...rest] = headers.authorization?.split(' ') ?? []
  return scheme === 'Bearer' && text !== undefined && rest.length === 0 ? verifyToken(text, secret) : null
}

interface ServerContext extends NestedRunServerOptions {
  tokenFor(scopeId: string, isOwner?: boolean): string
}

const OWNER_ONLY: readonly (string | undefined)[] = ['/touch', '/close', '/leave']

async function serve(
  context: ServerContext,
  { scopeId, isOwner }: ScopeToken,
  request: IncomingMessage,
): Promise<Answer> {
  const run = context.runs.find(scopeId)
  if (run === null) return { status: 410, body: { message: 'the run that it names has ended' } }
  // A command must not end its own run: it would escape the run's limits.
  if (OWNER_ONLY.includes(request.url) && !isOwner) {
    return { status: 403, body: { message: 'only the stint process that runs the command may do that' } }
  }
  switch (`${request.method} ${request.url}`) {
    case 'POST /runs':
      return openNested(context, run, await readBody(request))
    case 'POST /keys':
      return enterNested(context, run, await readBody(request))
    case 'POST /leave':
      run.forget()
      return { status: 200, body: {} }
    case 'GET /place':
      return { status: 200, body: placeOf(context, run) }
    case 'GET /run':
      return { status: 200, body: { state: run.state(), usage: await run.scope.usage() } }
    case 'POST /touch':
      run.touch()
      return { status: 200, body: {} }
    case 'POST /close':
      return closeNested(run, await readBody(request))
    default:
      return { status: 404, body: { message: 'there is no such request' } }
  }
}

async function openNested(
  context: ServerContext,
  parent: KnownRun,
  body: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const { name, limits, wrapUp, about } = body
  assertScopeName(name)
  assertRoom(context)
  const scope = await parent.scope.open({
    name,
    layers: limitsFromJson(limits),
    ...(wrapUp === false ? { wrapUp } : {}),
    // Every store keeps only texts of it, shortened and without keys.
    ...(isPlainObject(about) ? { about } : {}),
  })
  const { key } = context.runs.add(scope, { parent })
  const { gatewayUrl } = context
  const { id, path } = scope
  return { status: 201, body: { id, path, key, gatewayUrl, ...tokensOf(context, id) } }
}

/** The command's token, and the one for the `stint` that runs it. */
function tokensOf({ tokenFor }: ServerContext, id: string) {
  return { token: tokenFor(id), ownerToken: tokenFor(id, true) }
}

/** A key and tokens for a run below this one whose scope another process has opened. */
async function enterNested(
  context: ServerContext,
  parent: KnownRun,
  { scopeId }: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  assertRoom(context)
  const run = typeof scopeId === 'string' ? await context.runs.enter(scopeId, parent) : null
  if (run === null) return { status: 404, body: { message: 'there is no such run below it' } }
  return { status: 201, body: { key: run.key, ...tokensOf(context, run.scope.id) } }
}

function assertRoom({ runs }: ServerContext): void {
  if (runs.count() < MOST_RUNS) return
  throw new StintError('too_many_scopes', `${MOST_RUNS} nested runs are open. Wait for one of them to end.`)
}

/** For a `stint` that opens its scope itself, because its own process runs the agent. */
function placeOf({ ledger, gatewayUrl, prices, providers }: ServerContext, { scope, key }: KnownRun): object {
  return { ledger, gatewayUrl, key, scopeId: scope.id, prices: [...prices], providers }
}

async function closeNested(run: KnownRun, { status }: Readonly<Record<string, unknown>>): Promise<Answer> {
  const end = STATUSES.find((each) => each === status)
  if (end === undefined || !isEnded(end)) return { status: 400, body: { message: 'this is not an end status' } }
  run.forget()
  await run.scope.close(end as EndStatus)
  return { status: 200, body: {} }
}

async function refuseToken(): Promise<Answer> {
  return { status: 401, body: { message: 'the stint process that it names did not issue it' } }
}

function answerError(error: unknown): Answer {
  if (!isStintError(error)) return { status: 500, body: { message: 'the enclosing stint process failed' } }
  return { status: 409, body: { code: error.code, message: error.message } }
}

async function readBody(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > LONGEST_BODY) throw new Error('the request is too long')
    parts.push(part)
  }
  const value: unknown = JSON.parse(Buffer.concat(parts).toString('utf8') || '{}')
  if (!isPlainObject(value)) throw new Error('the request is not an object')
  return value
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify(body))
}
