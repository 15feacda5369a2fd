import { isIPv4, isIPv6 } from 'node:net'
import type { ConfigProblem } from '../../config/invalid-config-error.ts'
import { InvalidOptionError } from '../../core/index.ts'

const LARGEST_PORT = 65_535
// A name as DNS has it, or an address with an optional port.
const HOST_NAME = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/

export interface ListenFlags {
  readonly host: string
  readonly port: string
  readonly allowRemote?: boolean
  readonly allowHost?: readonly string[]
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly behindProxy?: string
}

export interface ListenAddress {
  readonly host: string
  readonly port: number
  /** Host names that clients may use, in addition to this machine's. */
  readonly allowedHosts: readonly string[]
  /** Whether only this machine can reach it. */
  readonly isLocal: boolean
  /** The name of the proxy in front, which speaks HTTPS; `null` without one. */
  readonly proxyName: string | null
}

/** Reads where to listen. An address that others can reach must be allowed explicitly. */
export function listenAddress(flags: ListenFlags, problems: ConfigProblem[]): ListenAddress {
  const { host, allowRemote = false, allowHost = [], tlsCert, tlsKey, behindProxy } = flags
  if (!isIPv4(host) && !isIPv6(host) && host !== 'localhost') {
    throw new InvalidOptionError('--host', host, 'an address of this machine, e.g. 127.0.0.1')
  }
  for (const name of allowHost) {
    if (!HOST_NAME.test(name)) throw new InvalidOptionError('--allow-host', name, 'a name, e.g. gateway.example.com')
  }
  if (behindProxy !== undefined && !HOST_NAME.test(behindProxy)) {
    throw new InvalidOptionError('--behind-proxy', behindProxy, 'the name that people use, e.g. stint.example.com')
  }
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    const missing = tlsCert === undefined ? '--tls-cert' : '--tls-key'
    throw new InvalidOptionError(missing, undefined, 'given too: --tls-cert FILE and --tls-key FILE belong together')
  }
  const place = `--host ${host}`
  const isEncrypted = tlsCert !== undefined || behindProxy !== undefined
  if (!isLoopback(host) && !allowRemote && !isEncrypted) {
    const message =
      'Others on the network could reach the gateway there, and keys would travel unencrypted. ' +
      'Encrypt it (--tls-cert FILE --tls-key FILE), keep it on 127.0.0.1 behind a proxy that speaks TLS ' +
      '(--behind-proxy NAME), or add --allow-remote if you trust the network.'
    problems.push({ place, value: host, message })
  }
  const isNamed = allowHost.length > 0 || behindProxy !== undefined
  if (isEveryAddress(host) && (allowRemote || isEncrypted) && !isNamed) {
    const message = 'Name the hosts that clients use, so that no web page can call it: --allow-host NAME.'
    problems.push({ place, value: host, message })
  }
  const own = isLoopback(host) || isEveryAddress(host) ? [] : [isIPv6(host) ? `[${host}]` : host]
  const proxyName = behindProxy?.toLowerCase() ?? null
  const allowedHosts = [...own, ...allowHost, ...(proxyName === null ? [] : [proxyName])]
  return { host, port: portFrom(flags.port), allowedHosts, isLocal: isLoopback(host), proxyName }
}

function portFrom(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= LARGEST_PORT) return port
  throw new InvalidOptionError('--port', text, `a number from 0 (a free one) to ${LARGEST_PORT}`)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || (isIPv6(host) && /^[0:]*$/.test(host))
}
