import { StintError } from '../../core/index.ts'
import { notAllowed } from '../http/refusals.ts'
import type { ApiKeys } from './api-keys.ts'
import type { Caller } from './caller.ts'
import { cookiesNamed } from './session-cookie.ts'
import type { Session, Sessions } from './sessions.ts'

const BEARER = /^bearer +(\S+)$/i

export interface Identification {
  readonly sessions: Sessions
  readonly keys: ApiKeys
  readonly cookieName: string
}

/** Who sends a request: the bearer of an API key, or a browser with both halves of its session. Throws for any other request. */
export async function identify(
  headers: ReadonlyMap<string, string>,
  { sessions, keys, cookieName }: Identification,
): Promise<Caller> {
  const authorization = headers.get('authorization')
  if (authorization !== undefined) {
    const key = BEARER.exec(authorization)?.[1] ?? ''
    const caller = await keys.callerOf(key)
    if (caller === null) throw notSignedIn('The key is unknown, revoked, expired, or not for this API.')
    return caller
  }
  const cookies = cookiesNamed(headers.get('cookie'), cookieName)
  const session = await sessions.find(cookies, headers.get('x-stint-session') ?? '')
  const caller = session === null ? null : await callerOfSession(session, keys)
  if (caller === null) {
    throw notSignedIn(
      'You are not signed in, or your session has ended. Open the link that `stint serve` prints, or use an API key.',
    )
  }
  return caller
}

/** Who a session belongs to; `null` if the key that it was opened with is not good any more. */
export async function callerOfSession(session: Session, keys: ApiKeys): Promise<Caller | null> {
  const { id, by, role, scopeId, keyHash, expiresAtMs } = session
  const ofKey = keyHash === null ? null : await keys.callerOfHash(keyHash)
  if (keyHash !== null && ofKey === null) return null
  return { by, role, scopeId, expiresAtMs, id, countedAs: ofKey?.countedAs ?? id, isBrowser: true }
}

/** Refuses a read of a browser that another site has caused. */
export function assertOwnRead(headers: ReadonlyMap<string, string>): void {
  const site = headers.get('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin') throw notAllowed('Only pages of this server may call it.')
}

/** Refuses a write of a browser unless it says that our own page sends it. */
export function assertOwnWrite(headers: ReadonlyMap<string, string>, ownOrigin: string): void {
  if (headers.get('origin') !== ownOrigin || headers.get('sec-fetch-site') !== 'same-origin') {
    throw notAllowed('A write with a session needs the headers Origin and Sec-Fetch-Site of a page of this server.')
  }
}

function notSignedIn(message: string): StintError {
  return new StintError('not_signed_in', message)
}
