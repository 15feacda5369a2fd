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
} from '../../../core/index.ts'
import type { PriceList } from '../../../pricing/index.ts'
import type { ProviderName } from '../../../system/provider-variables.ts'
import { createServer } from '../../http/node-http.ts'
import type { KnownRun, Runs } from '../runs/create-runs.ts'
import { limitsFromJson } from './limits-from-json.ts'
import { type ScopeToken, signToken, verifyToken } from './scope-token.ts'

/** What a desk needs to know of the place that it is in. */
export interface DeskOptions {
  readonly runs: Runs
  readonly ledger: string
  readonly gatewayUrl: string
  /** The prices of the config: a run inside is charged by them, whatever its own config says. */
  readonly prices: PriceList
  /** The providers whose keys the gateway has. */
  readonly providers: readonly ProviderName[]
}

/**
 * Where a `stint` inside a command opens its run: a child scope of this ledger and a key on the gateway that is there,
 * so that no gateway ever stands behind another. It answers on loopback, and only to tokens that it has given out.
 */
export interface Desk {
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

/** Opens the desk. Its secret lives as long as it does. */
export async function openDesk(options: DeskOptions): Promise<Desk> {
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
  const tokenFor = (scopeId: string, isKeeper = false): string =>
    signToken({ ledger, scopeId, gatewayUrl, deskUrl: `http://${host}`, isKeeper }, secret)
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

interface DeskContext extends DeskOptions {
  tokenFor(scopeId: string, isKeeper?: boolean): string
}

const OF_KEEPERS: readonly (string | undefined)[] = ['/touch', '/close', '/leave']

async function serve(desk: DeskContext, { scopeId, isKeeper }: ScopeToken, request: IncomingMessage): Promise<Answer> {
  const run = desk.runs.find(scopeId)
  if (run === null) return { status: 410, body: { message: 'the run that it names has ended' } }
  // A command must not end the run that it is in: that would be over before its limits are.
  if (OF_KEEPERS.includes(request.url) && !isKeeper) {
    return { status: 403, body: { message: 'only the stint that runs the command may do that' } }
  }
  switch (`${request.method} ${request.url}`) {
    case 'POST /runs':
      return openNested(desk, run, await readBody(request))
    case 'POST /keys':
      return enterNested(desk, run, await readBody(request))
    case 'POST /leave':
      run.forget()
      return { status: 200, body: {} }
    case 'GET /place':
      return { status: 200, body: placeOf(desk, run) }
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
  desk: DeskContext,
  parent: KnownRun,
  body: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const { name, limits, wrapUp } = body
  assertScopeName(name)
  assertRoom(desk)
  const scope = await parent.scope.open({
    name,
    layers: limitsFromJson(limits),
    ...(wrapUp === false ? { wrapUp } : {}),
  })
  const { key } = desk.runs.add(scope, { parent })
  const { gatewayUrl } = desk
  const { id, path } = scope
  const tokens = { token: desk.tokenFor(id), keeperToken: desk.tokenFor(id, true) }
  return { status: 201, body: { id, path, key, gatewayUrl, ...tokens } }
}

/** A key and a token for a run below this one whose scope another process has opened, for what that one starts. */
async function enterNested(
  desk: DeskContext,
  parent: KnownRun,
  { scopeId }: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  assertRoom(desk)
  const run = typeof scopeId === 'string' ? await desk.runs.enter(scopeId, parent) : null
  if (run === null) return { status: 404, body: { message: 'no such run is below it' } }
  const { id } = run.scope
  const tokens = { token: desk.tokenFor(id), keeperToken: desk.tokenFor(id, true) }
  return { status: 201, body: { key: run.key, ...tokens } }
}

function assertRoom({ runs }: DeskContext): void {
  if (runs.count() < MOST_RUNS) return
  throw new StintError('too_many_scopes', `${MOST_RUNS} runs are open inside each other. Let one of them end first.`)
}

/** What a `stint` needs that opens its scope itself, since its own process runs the agent. */
function placeOf({ ledger, gatewayUrl, prices, providers }: DeskContext, { scope, key }: KnownRun): object {
  return { ledger, gatewayUrl, key, scopeId: scope.id, prices: [...prices], providers }
}

async function closeNested(run: KnownRun, { status }: Readonly<Record<string, unknown>>): Promise<Answer> {
  const end = STATUSES.find((each) => each === status)
  if (end === undefined || !isEnded(end)) return { status: 400, body: { message: 'a run does not end like that' } }
  run.forget()
  await run.scope.close(end as EndStatus)
  return { status: 200, body: {} }
}

async function refuseToken(): Promise<Answer> {
  return { status: 401, body: { message: 'the stint that it names does not know it' } }
}

function answerError(error: unknown): Answer {
  if (!isStintError(error)) return { status: 500, body: { message: 'the stint around this one failed' } }
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
  if (!isPlainObject(value)) throw new Error('the request is no object')
  return value
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify(body))
}
