import type { ServerResponse } from 'node:http'
import type { Dialect, WireError } from '../dialects/dialect.ts'

/** The options of a refusal. */
export interface RefusalOptions {
  /** For clients that would retry a 402: Codex stops at 429 with `insufficient_quota`. */
  readonly isCodex?: boolean
  readonly retryAfterS?: number
  /** The request body was not read to its end, so this connection cannot be reused. */
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

// A state that may change soon is left to the client to retry.
const WORTH_RETRYING: ReadonlySet<WireError['kind']> = new Set(['wait', 'upstream'])

/** Answers with an error in the provider's own format, and the status that makes the client stop immediately. */
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
