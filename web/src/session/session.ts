import type { Answer } from '../../../src/server/contract.ts'
import { callApi } from '../data/call-api.ts'
import { createStore } from '../data/create-store.ts'
import { isSignedOut } from '../data/refused-error.ts'
import { readSessionToken, writeSessionToken } from '../data/session-token.ts'

export type Session = Answer<'GET /api/session'>

export type SessionState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'signed-out'; readonly problem: string | null }
  | { readonly kind: 'signed-in'; readonly session: Session }

export const sessionState = createStore<SessionState>({ kind: 'starting' })

/** Signs in with the one-time token of the address, or continues the session of this tab. */
export async function startSession(): Promise<void> {
  const link = takeLinkToken()
  try {
    if (link !== null) return await signIn({ link })
    if (readSessionToken() === null) return signedOut(null)
    sessionState.write({ kind: 'signed-in', session: await callApi('GET /api/session', {}) })
  } catch (error) {
    signedOut(link === null && isSignedOut(error) ? 'You were signed out.' : messageOf(error))
  }
}

/** Signs in. Throws what the server says if it refuses. */
export async function signIn(credentials: { readonly link: string } | { readonly key: string }): Promise<void> {
  const { token, ...session } = await callApi('POST /api/session', { body: credentials })
  writeSessionToken(token)
  sessionState.write({ kind: 'signed-in', session })
}

/** Ends the session on the server and in this tab. */
export async function signOut(): Promise<void> {
  await callApi('POST /api/session/end', { body: {} }).catch(() => {})
  signedOut(null)
}

/** The server does not know this tab any more. */
export function signedOut(problem: string | null): void {
  writeSessionToken(null)
  sessionState.write({ kind: 'signed-out', problem })
}

/** The token that `stint serve` printed behind the `#`. It is taken out of the address at once. */
function takeLinkToken(): string | null {
  const found = /^#\/?sign-in=([\w-]+)$/.exec(location.hash)
  if (found === null) return null
  history.replaceState(null, '', location.pathname)
  return found[1] ?? null
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
