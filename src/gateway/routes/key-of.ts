import type { ClientHeaders } from '../http/client-headers.ts'

/** The prefix of keys created by `stint keys`: they are removed from the headers where SDKs put a provider's key. */
const KEY_PREFIX = 'stint_'
const LONGEST_KEY = 512
const BEARER = /^bearer +/i

/** The caller's key, and which of its own credentials may be forwarded. */
export interface Credentials {
  readonly key: string | null
  /** Names and values alternating. Never a key of ours. */
  readonly own: readonly string[]
}

/** The key of a request: in its path, in our own header, or where a provider's key would be. */
export function credentialsOf({ known }: ClientHeaders, pathKey: string | null): Credentials {
  const authorization = known.get('authorization')
  const apiKey = known.get('x-api-key')
  const bearer = authorization === undefined ? undefined : authorization.replace(BEARER, '').trim()
  const own: string[] = []
  let inHeader: string | null = known.get('x-stint-key') ?? null
  if (bearer?.startsWith(KEY_PREFIX) === true) inHeader ??= bearer
  else if (authorization !== undefined) own.push('authorization', authorization)
  if (apiKey?.startsWith(KEY_PREFIX) === true) inHeader ??= apiKey
  else if (apiKey !== undefined) own.push('x-api-key', apiKey)
  const key = pathKey ?? inHeader
  // Paths end up in logs: a key that outlives a run does not belong there.
  if (pathKey?.startsWith(KEY_PREFIX) === true) return { key: null, own }
  if (key === null || key === '' || key.length > LONGEST_KEY) return { key: null, own }
  // A key that is both in the path and in a header must not be forwarded.
  for (const value of own) if (value.includes(key)) return { key, own: [] }
  return { key, own }
}
