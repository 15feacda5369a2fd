import type { IncomingMessage, ServerResponse } from 'node:http'
import { API } from './contract/api.ts'
import type { ApiRoute } from './contract/api-route.ts'
import { HANDLERS } from './handlers/handlers.ts'
import { assertJsonType, readJsonBody } from './http/read-json-body.ts'
import { badRequest, notAllowed } from './http/refusals.ts'
import { sendJson, sendText } from './http/send.ts'
import { findApiRoute } from './routes/find-api-route.ts'
import { readInput, readQuery } from './routes/read-input.ts'
import type { Server } from './server.ts'
import { type Caller, mayActAs } from './session/caller.ts'
import { assertOwnRead, assertOwnWrite, identify } from './session/identify.ts'
import { endSession, signIn } from './session/sign-in.ts'

/** A request to the API whose headers were read, and which is meant for this server. */
export interface ApiRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly headers: ReadonlyMap<string, string>
  /** The origin of our own page. */
  readonly ownOrigin: string
}

/** Answers a request to the API. Everything about its caller is checked before its body is read. */
export async function answerApi(server: Server, asked: ApiRequest): Promise<void> {
  const { request, response, headers, ownOrigin } = asked
  const { name, params, search } = findApiRoute(request.method, request.url ?? '')
  const route: ApiRoute = API[name]
  if (name === 'GET /health') return answerHealth(server, response)
  if (name === 'POST /api/session') {
    assertOwnWrite(headers, ownOrigin)
    assertJsonType(headers)
    return signIn(server, response, readInput(API[name].body, await readJsonBody(request)))
  }
  const caller = await identify(headers, server.identification)
  assertAllowed(route, caller, asked)
  const query = readQuery(route.query, search)
  const body = route.body === undefined ? undefined : readInput(route.body, await readJsonBody(request))
  if (name === 'POST /api/session/end') return endSession(server, response, caller)
  if (name === 'GET /metrics') {
    const { scrape, contentType } = server.context.metrics
    return sendText(response, contentType, await scrape())
  }
  if (name === 'GET /api/stream') {
    const since = headers.get('last-event-id') ?? search.get('since')
    return server.streams.open(response, caller, since, () => isStillGood(server, headers))
  }
  // What a handler takes has just been read by the schemas of its own route.
  const answer: unknown = await Reflect.apply(HANDLERS[name], undefined, [
    { context: server.context, caller, params, query, body },
  ])
  sendJson(response, 200, answer)
}

function assertAllowed(
  { role, reach, onlyKeys, body }: ApiRoute,
  caller: Caller,
  { headers, ownOrigin }: ApiRequest,
): void {
  if (body === undefined) {
    if (caller.isBrowser) assertOwnRead(headers)
  } else {
    assertJsonType(headers)
    if (caller.isBrowser) assertOwnWrite(headers, ownOrigin)
    else if (headers.has('cookie')) throw badRequest('A write with a key must not have a cookie.')
  }
  if (onlyKeys && caller.isBrowser) throw notAllowed('This address takes keys only. The page has the same below /api.')
  if (role !== null && !mayActAs(caller.role, role)) {
    throw notAllowed(`This needs the role ${role}; you have the role ${caller.role}.`)
  }
  if (reach === 'everything' && caller.scopeId !== null) {
    throw notAllowed('This is about the whole ledger, and your key is for one scope.')
  }
}

async function isStillGood(server: Server, headers: ReadonlyMap<string, string>): Promise<boolean> {
  const { nowMs } = server.context
  const caller = await identify(headers, server.identification).catch(() => null)
  return caller !== null && (caller.expiresAtMs === null || caller.expiresAtMs > nowMs())
}

async function answerHealth({ context }: Server, response: ServerResponse): Promise<void> {
  try {
    await context.store.requests({ status: 'open', most: 1 })
    sendJson(response, 200, { status: 'ok' })
  } catch {
    sendJson(response, 503, { status: 'unavailable' })
  }
}
