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
}

export interface ListenAddress {
  readonly host: string
  readonly port: number
  /** Host names that clients may use, in addition to this machine's. */
  readonly allowedHosts: readonly string[]
}

/** Reads where to listen. An address that others can reach must be allowed explicitly. */
export function listenAddress(flags: ListenFlags, problems: ConfigProblem[]): ListenAddress {
  const { host, allowRemote = false, allowHost = [] } = flags
  if (!isIPv4(host) && !isIPv6(host) && host !== 'localhost') {
    throw new InvalidOptionError('--host', host, 'an address of this machine, e.g. 127.0.0.1')
  }
  for (const name of allowHost) {
    if (!HOST_NAME.test(name)) throw new InvalidOptionError('--allow-host', name, 'a name, e.g. gateway.example.com')
  }
  const place = `--host ${host}`
  if (!isLoopback(host) && !allowRemote) {
    const message =
      'Others on the network could reach the gateway there, and keys would travel unencrypted. ' +
      'Keep it on 127.0.0.1 behind a proxy that speaks TLS, or add --allow-remote if you trust the network.'
    problems.push({ place, value: host, message })
  }
  if (isEveryAddress(host) && allowRemote && allowHost.length === 0) {
    const message = 'Name the hosts that clients use, so that no web page can call it: --allow-host NAME.'
    problems.push({ place, value: host, message })
  }
  const own = isLoopback(host) || isEveryAddress(host) ? [] : [isIPv6(host) ? `[${host}]` : host]
  return { host, port: portFrom(flags.port), allowedHosts: [...own, ...allowHost] }
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
