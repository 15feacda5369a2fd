import { InvalidOptionError } from '../../core/index.ts'

/** Reads a base URL, without trailing slashes. Throws if it is invalid; a login in it is not shown. */
export function readBaseUrl(place: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isAddress = url !== null && /^https?:$/.test(url.protocol)
  // A login or a query may be a secret, and neither belongs in a base URL.
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (isAddress && isPlain) return text.replace(/\/+$/, '')
  const shown = text.replace(/\/\/[^/]*@/, '//…@').replace(/[?#].*$/s, '?…')
  throw new InvalidOptionError(place, shown, 'an address such as http://localhost:8080/v1, without login or query')
}
