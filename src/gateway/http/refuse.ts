import type { ServerResponse } from 'node:http'
import type { Dialect, WireError } from '../dialects/dialect.ts'

/** What a refusal says beside its error. */
export interface RefusalOptions {
  /** Where 402 would be tried again: Codex stops at 429 with `insufficient_quota`. */
  readonly isCodex?: boolean
  readonly retryAfterS?: number
  /** The body of the request was not read to its end, so that nothing more can come on this connection. */
  readonly closes?: boolean
  readonly status?: number
}

const STATUSES: Readonly<Record<WireError['kind'], number>> = {
  budget: 402,
  'bad-request': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'too-large': 413,
  wait: 429,
  upstream: 502,
  internal: 500,
}

// What may be otherwise a moment later is left to the client to try again.
const WORTH_RETRYING: ReadonlySet<WireError['kind']> = new Set(['wait', 'upstream'])

/** Answers with an error in the provider's own shape and the status that makes the client stop at once. */
export function refuse(
  response: ServerResponse,
  dialect: Pick<Dialect, 'errorBody'>,
  error: WireError,
  options: RefusalOptions = {},
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const { isCodex = false, retryAfterS, closes = false } = options
  const status = options.status ?? (error.kind === 'budget' && isCodex ? 429 : STATUSES[error.kind])
  const body = dialect.errorBody(error)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.length,
    'x-should-retry': String(WORTH_RETRYING.has(error.kind)),
    ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
    ...(closes ? { connection: 'close' } : {}),
  })
  response.end(body)
}
