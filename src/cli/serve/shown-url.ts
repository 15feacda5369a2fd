import type { ListenAddress } from './listen-address.ts'

/** The address under which people and clients reach a server that listens at `url`. */
export function shownUrl(
  url: string,
  { allowedHosts, proxyName }: Pick<ListenAddress, 'allowedHosts' | 'proxyName'>,
): string {
  if (proxyName !== null) return `https://${proxyName}`
  const { protocol, hostname, port } = new URL(url)
  const [name] = allowedHosts
  // No client can call every address of a machine: it takes one of the names that were allowed.
  if ((hostname !== '0.0.0.0' && hostname !== '[::]') || name === undefined) return url
  return /:\d+$/.test(name) ? `${protocol}//${name}` : `${protocol}//${name}${port === '' ? '' : `:${port}`}`
}
