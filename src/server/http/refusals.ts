import { type ErrorCode, isStintError, StintError } from '../../core/index.ts'

/** The status of a refusal. What is not listed here is a fault of ours. */
const STATUSES: Partial<Record<ErrorCode, number>> = {
  ambiguous_id: 409,
  bad_request: 400,
  governor_closed: 503,
  invalid_amount: 400,
  invalid_limit: 400,
  invalid_name: 400,
  invalid_option: 400,
  invalid_time: 400,
  not_allowed: 403,
  not_paused: 409,
  not_signed_in: 401,
  reservation_conflict: 409,
  scope_closed: 409,
  scope_exists: 409,
  scope_paused: 409,
  store_busy: 503,
  store_unavailable: 503,
  too_large: 413,
  too_many_streams: 503,
  unknown_address: 404,
  unknown_agent: 404,
  unknown_event: 400,
  unknown_key: 404,
  unknown_request: 404,
  unknown_reservation: 404,
  unknown_scope: 404,
  unknown_task: 404,
}

/** A refusal as it is sent. */
export interface SentRefusal {
  readonly status: number
  readonly body: {
    readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean }
  }
}

/** An error as it is sent. Says nothing about faults of ours, which may name files of this machine. */
export function refusalFrom(error: unknown): SentRefusal {
  if (isStintError(error)) {
    const { code, message, retryable } = error
    const status = STATUSES[code]
    if (status === 503 && code !== 'too_many_streams') {
      return { status, body: { error: { code, message: UNREACHABLE, retryable: true } } }
    }
    if (status !== undefined) return { status, body: { error: { code, message, retryable } } }
  }
  return { status: 500, body: { error: { code: 'internal_error', message: FAILED, retryable: false } } }
}

const UNREACHABLE = 'The server cannot reach its ledger just now. Try again in a moment.'
const FAILED = 'The server failed. Its operator finds the reason in its output.'

/** Whether the operator should hear about an error: it is our own fault, or the ledger's. */
export function isFault(error: unknown): boolean {
  return refusalFrom(error).status >= 500 && !isStintError(error, 'too_many_streams')
}

/** The same for a scope that does not exist and for one that the caller may not see. */
export function unknownScope(id: string): StintError {
  return new StintError('unknown_scope', `No scope has the id ${JSON.stringify(id.slice(0, 300))}.`)
}

export function notAllowed(message: string): StintError {
  return new StintError('not_allowed', message)
}

export function badRequest(message: string): StintError {
  return new StintError('bad_request', message)
}
