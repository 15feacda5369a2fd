import { notAllowed } from './refusals.ts'

/** Under which names the server may be called. */
export interface OwnAddress {
  /** What `Host` may be, in lower case. */
  readonly hosts: ReadonlySet<string>
  readonly scheme: 'http' | 'https'
  /** The name of the proxy in front, which speaks HTTPS; `null` without one. */
  readonly proxyName: string | null
}

/**
 * Refuses a request that was meant for another server (a name that an attacker's DNS points here), or that a page of
 * another origin has sent. Returns the origin of our own page.
 */
export function assertOwnAddress(
  headers: ReadonlyMap<string, string>,
  { hosts, scheme, proxyName }: OwnAddress,
): string {
  const host = headers.get('host')?.toLowerCase()
  if (host === undefined || !hosts.has(host)) {
    throw notAllowed('The Host header does not name this server. Call it by its own address.')
  }
  const own = host === proxyName ? `https://${host}` : `${scheme}://${host}`
  const origin = headers.get('origin')
  if (origin !== undefined && origin !== own) throw notAllowed('Pages of other origins may not call this server.')
  return own
}
