import type { ServerResponse } from 'node:http'
import { StintError } from '../../core/index.ts'
import { hashGatewayKey } from '../../gateway/keys/index.ts'
import type { Body } from '../contract.ts'
import { sessionView } from '../handlers/session.ts'
import { sendJson } from '../http/send.ts'
import type { Server } from '../server.ts'
import type { Caller } from './caller.ts'
import { callerOfSession } from './identify.ts'
import { setCookie } from './session-cookie.ts'
import type { Session } from './sessions.ts'

const LONGEST_SESSION_MS = 12 * 3_600_000

/** Exchanges a one-time token or a key for a session: a cookie, and a second token in the answer. */
export async function signIn(server: Server, response: ServerResponse, body: Body<'POST /api/session'>): Promise<void> {
  const { context, cookie } = server
  const who = await whoSignsIn(server, body)
  const opened = await context.sessions.open(who)
  const caller = await callerOfSession(opened.session, context.keys)
  if (caller === null) throw notGood('The key was revoked just now.')
  const livesMs = who.expiresAtMs - context.nowMs()
  sendJson(
    response,
    200,
    { ...sessionView(context, caller), token: opened.token },
    { headers: { 'set-cookie': setCookie(opened.cookie, livesMs, cookie) } },
  )
}

async function whoSignsIn(
  { context, takesLinks }: Server,
  given: Body<'POST /api/session'>,
): Promise<Omit<Session, 'id' | 'tokenHash'>> {
  const { links, keys, nowMs, userName } = context
  const latestMs = nowMs() + LONGEST_SESSION_MS
  if ('link' in given) {
    if (!takesLinks || !links.take(given.link)) {
      throw notGood('This link was used before, or is older than 5 minutes. Start `stint serve` again, or use a key.')
    }
    return { by: userName, role: 'admin', scopeId: null, keyHash: null, expiresAtMs: latestMs }
  }
  const caller = await keys.callerOf(given.key)
  if (caller === null) throw notGood('The key is unknown, revoked, expired, or not for this API.')
  const { by, role, scopeId, expiresAtMs } = caller
  const keyHash = hashGatewayKey(given.key)
  return { by, role, scopeId, keyHash, expiresAtMs: Math.min(latestMs, expiresAtMs ?? latestMs) }
}

/** Ends the session of a browser, and takes its cookie away. */
export function endSession({ context, cookie }: Server, response: ServerResponse, caller: Caller): void {
  if (caller.isBrowser) context.sessions.end(caller)
  sendJson(response, 200, {}, { headers: { 'set-cookie': setCookie('', 0, cookie) } })
}

function notGood(message: string): StintError {
  return new StintError('not_signed_in', message)
}
