/** Every error code, each explained in docs/reference/errors.md. */
export const ERROR_CODES = [
  'agent_changed',
  'agent_exists',
  'agent_not_editable',
  'ambiguous_id',
  'bad_request',
  'call_not_sent',
  'cannot_listen',
  'governor_closed',
  'holder_dead',
  'inside_run',
  'invalid_agent',
  'invalid_amount',
  'invalid_call',
  'invalid_chain',
  'invalid_config',
  'invalid_limit',
  'invalid_name',
  'invalid_option',
  'invalid_price',
  'invalid_scope_token',
  'invalid_script',
  'invalid_time',
  'invalid_usage',
  'ledger_damaged',
  'ledger_foreign',
  'ledger_inaccessible',
  'ledger_lost_tail',
  'ledger_missing',
  'ledger_needs_newer_sqlite',
  'ledger_newer',
  'ledger_read_only',
  'ledger_replaced',
  'limit_exceeded',
  'missing_key',
  'not_allowed',
  'not_paused',
  'not_signed_in',
  'reservation_conflict',
  'scope_closed',
  'scope_exists',
  'scope_paused',
  'sqlite_unavailable',
  'store_busy',
  'store_unavailable',
  'too_large',
  'too_many_scopes',
  'too_many_streams',
  'tool_failed',
  'tool_refused',
  'unknown_address',
  'unknown_agent',
  'unknown_chain',
  'unknown_event',
  'unknown_key',
  'unknown_model',
  'unknown_request',
  'unknown_reservation',
  'unknown_scope',
  'unknown_task',
  'unpriced_model',
  'worktree_unusable',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

// A tag on the instance instead of a class check, so that two copies of the package in one process recognize each
// other's errors.
const TAG = Symbol.for('stint.error')

/**
 * The base of every error that Stint throws. The message says what to do; the fields carry the same facts for programs.
 */
export class StintError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code
  /** Whether the same call may succeed later without any change. */
  readonly retryable: boolean

  constructor(code: Code, message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.retryable = options.retryable ?? false
    Object.defineProperty(this, TAG, { value: true })
  }
}

/**
 * Whether `error` is one of Stint's, optionally with this code. Works across copies of the package. Internal code names
 * the class: `isStintError<InvalidLimitError>(error, 'invalid_limit')`; users get it from the code alone.
 */
export function isStintError<Kind extends StintError = StintError>(error: unknown, code?: Kind['code']): error is Kind {
  if (typeof error !== 'object' || error === null || !(TAG in error)) return false
  return code === undefined || ('code' in error && error.code === code)
}
