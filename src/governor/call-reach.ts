import { isStintError, StintError } from '../core/index.ts'

/**
 * How far a model call came that failed: nothing was sent, or nobody was there to take it; the provider refused it, so
 * that nothing was generated; or that is not known, and it may have cost money.
 */
export type CallReach = 'unsent' | 'refused' | 'unknown'

// The request never left this machine, or nobody was there to take it.
const UNSENT_CODES = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
  'EADDRNOTAVAIL',
  'EMFILE',
  // Nobody sends anything to a server whose certificate it does not trust.
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]

const DEEPEST_CAUSE = 5

/** A call was not made after all, since whoever asked has gone away. Thrown in a model call, its room is given back. */
export class CallNotSentError extends StintError {
  constructor(cause?: unknown) {
    super('call_not_sent', 'The call was called off before anything was sent.', { cause })
  }
}

/** What an error shows of a call that has not been answered. A time-out or a broken connection shows nothing. */
export function reachOf(error: unknown): CallReach {
  try {
    return reachIn(error, 0)
  } catch {
    // An error that cannot even be read proves nothing.
    return 'unknown'
  }
}

function reachIn(error: unknown, depth: number): CallReach {
  if (typeof error !== 'object' || error === null || depth > DEEPEST_CAUSE) return 'unknown'
  if (isStintError(error, 'call_not_sent')) return 'unsent'
  const { status, statusCode, code, cause } = error as Record<string, unknown>
  const answered = typeof status === 'number' ? status : statusCode
  if (typeof answered === 'number') return answered >= 400 && answered < 600 ? 'refused' : 'unknown'
  if (typeof code === 'string' && UNSENT_CODES.includes(code)) return 'unsent'
  return reachIn(cause, depth + 1)
}
