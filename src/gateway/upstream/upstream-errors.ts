import type { WireError } from '../dialects/dialect.ts'
import type { ExchangeEnd } from './exchange.ts'

type Refused = Extract<ExchangeEnd, { kind: 'refused' }>

/** The provider said no before it generated anything. `status` tells the governor that it cost nothing. */
export class UpstreamRefusedError extends Error {
  readonly status: number
  /** What it said; `null` where that has reached the client already. */
  readonly refused: Refused | null

  constructor(status: number, refused: Refused | null) {
    super(`The provider answered with status ${status}.`)
    this.name = 'UpstreamRefusedError'
    // A redirection is not followed: nobody but the operator says where requests go.
    this.status = status < 400 ? 502 : status
    this.refused = refused
  }
}

/** The answer broke off, or never came. `code` is that of the cause, by which the governor knows whether it was sent. */
export class UpstreamBrokenError extends Error {
  readonly code: string | undefined

  constructor(cause: unknown) {
    super('The provider broke off.', { cause })
    this.name = 'UpstreamBrokenError'
    const { code } = (typeof cause === 'object' && cause !== null ? cause : {}) as { readonly code?: unknown }
    this.code = typeof code === 'string' ? code : undefined
  }
}

const TIMEOUTS: ReadonlySet<string> = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'STINT_DEADLINE',
])

/** The same for the client, without anything of the address or the credentials. */
export function brokenError({ code }: UpstreamBrokenError): { readonly error: WireError; readonly status: number } {
  const isLate = code !== undefined && TIMEOUTS.has(code)
  const what = isLate ? 'did not answer in time' : 'could not be reached, or broke off'
  return {
    error: { kind: 'upstream', message: `The provider ${what}${code === undefined ? '' : ` (${code})`}.` },
    status: isLate ? 504 : 502,
  }
}
