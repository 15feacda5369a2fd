import { reachOf } from '../../governor/edge.ts'
import type { WireError } from '../dialects/dialect.ts'
import type { ExchangeEnd } from './exchange.ts'

type Refused = Extract<ExchangeEnd, { kind: 'refused' }>

/**
 * The upstream answered with an error. `status`, `headers` and `body` tell the governor whether the provider refused
 * the request, so that it cost nothing, or whether that is unknown.
 */
export class UpstreamRefusedError extends Error {
  readonly status: number
  readonly headers: Refused['headers']
  readonly body: Refused['body']
  /** Its message; `null` if that has already reached the client. */
  readonly refused: Refused | null

  constructor(status: number, refused: Refused | null) {
    const words = wordsIn(refused?.body ?? null)
    super(`The provider answered with status ${status}${words === null ? '.' : `: ${words}`}`)
    this.name = 'UpstreamRefusedError'
    this.status = status
    this.headers = refused?.headers ?? {}
    this.body = refused?.body ?? null
    this.refused = refused
  }
}

/** The message of an error in the providers' format. */
function wordsIn(body: Buffer | null): string | null {
  if (body === null) return null
  try {
    const { error } = JSON.parse(String(body)) as { readonly error?: { readonly message?: unknown } }
    return typeof error?.message === 'string' && error.message !== '' ? error.message : null
  } catch {
    return null
  }
}

/**
 * The answer broke off, or never came. `code` and `syscall` are those of the cause, which show the governor whether it
 * was sent.
 */
export class UpstreamBrokenError extends Error {
  readonly code: string | undefined
  readonly syscall: string | undefined

  constructor(cause: unknown) {
    super('The provider broke off.', { cause })
    this.name = 'UpstreamBrokenError'
    const { code, syscall } = (typeof cause === 'object' && cause !== null ? cause : {}) as Readonly<
      Record<'code' | 'syscall', unknown>
    >
    this.code = typeof code === 'string' ? code : undefined
    this.syscall = typeof syscall === 'string' ? syscall : undefined
  }
}

const TIMEOUTS: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'STINT_DEADLINE'])

/** The same for the client, without the address or the credentials. */
export function brokenError(broken: UpstreamBrokenError): { readonly error: WireError; readonly status: number } {
  const { code } = broken
  const shown = code === undefined ? '' : ` (${code})`
  // Nothing was sent. The 503 tells the accounting so.
  if (reachOf(broken) === 'unsent') {
    return { error: { kind: 'upstream', message: `The provider could not be reached${shown}.` }, status: 503 }
  }
  const isLate = code !== undefined && TIMEOUTS.has(code)
  const what = isLate ? 'did not answer in time' : 'could not be reached, or broke off'
  return {
    error: { kind: 'upstream', message: `The provider ${what}${shown}.` },
    status: isLate ? 504 : 502,
  }
}
