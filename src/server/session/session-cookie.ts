const PATH = '/api'

/** Cookies ignore ports: the name tells servers of one machine apart. */
export function cookieName(port: number): string {
  return `stint_session_${port}`
}

export interface CookieOptions {
  readonly name: string
  readonly isSecure: boolean
}

/** The header that stores a session in the browser. */
export function setCookie(value: string, maxAgeMs: number, { name, isSecure }: CookieOptions): string {
  const seconds = Math.max(0, Math.floor(maxAgeMs / 1_000))
  return `${name}=${value}; Path=${PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

/** Every cookie of this name. There may be several: of other paths, or planted by a page on another port. */
export function cookiesNamed(header: string | undefined, name: string): readonly string[] {
  if (header === undefined) return []
  const start = `${name}=`
  return header.split(';').flatMap((part) => {
    const pair = part.trim()
    return pair.startsWith(start) ? [pair.slice(start.length)] : []
  })
}
