import type { ClientHeaders } from '../http/client-headers.ts'

/** The prefix of keys that `stint keys` makes: they are taken from the headers in which the SDKs put a provider's. */
const KEY_PREFIX = 'stint_'
const LONGEST_KEY = 512
const BEARER = /^bearer +/i

/** Who asks, and what of their own credentials may go on. */
export interface Credentials {
  readonly key: string | null
  /** Names and values in turn. Never a key of ours. */
  readonly own: readonly string[]
}

/** The key of a request: in its path, in a header of its own, or where a provider's key would be. */
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
  // Paths end up in logs: a key that lasts longer than a run does not belong there.
  if (pathKey?.startsWith(KEY_PREFIX) === true) return { key: null, own }
  if (key === null || key === '' || key.length > LONGEST_KEY) return { key: null, own }
  // Whoever puts the key of the path into a header, too, must not have it sent on.
  return { key, own: own.some((value) => value.includes(key)) ? [] : own }
}
