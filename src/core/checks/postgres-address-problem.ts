const FORM = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE'
const ENCODED = '/ as %2F, @ as %40, # as %23, ? as %3F, % as %25 and a space as %20'

/** The valid form for a Postgres address that cannot be used; `null` if it can be used. Never quotes the address. */
export function postgresAddressProblem(text: string): string | null {
  if (!/^postgres(?:ql)?:\/\//.test(text)) return `${FORM}, with two slashes after the colon`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) return `${FORM}, with a host, a port up to 65535, and in the password ${ENCODED}`
  if (url.hostname === '') return `${FORM}, with a host`
  if (url.pathname.length <= 1) return `${FORM}, with the name of a database at its end`
  const isCutShort = /[@/]/.test(url.pathname.slice(1)) || url.hash !== ''
  return isCutShort || !isDecodable(url) ? `${FORM}, and in the password ${ENCODED}` : null
}

function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}
