// The cookie alone is worth nothing: pages of other ports would send it too.
const KEY = 'stint-session'

/** The second token of a signed-in browser tab; `null` while it is not signed in. */
export function readSessionToken(): string | null {
  return sessionStorage.getItem(KEY)
}

export function writeSessionToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, token)
}
