import { isStintError, StintError } from '../core/index.ts'

// The request never left this machine, or nobody was there to take it.
const UNSENT_CODES = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

const DEEPEST_CAUSE = 5

/** Thrown in a model call by whoever did not send it after all: its room is given back. */
export class CallNotSentError extends StintError {
  constructor(cause?: unknown) {
    super('call_not_sent', 'The model call was called off before anything was sent.', { cause })
  }
}

/**
 * Whether an error shows that nothing was generated: the provider answered with an error status, or was not reached at
 * all. Anything else, a time-out or a broken connection, may have cost money and is not believed to be free.
 */
export function wasRefusedUnsent(error: unknown): boolean {
  try {
    return showsRefusal(error, 0)
  } catch {
    // An error that cannot even be read proves nothing.
    return false
  }
}

function showsRefusal(error: unknown, depth: number): boolean {
  if (typeof error !== 'object' || error === null || depth > DEEPEST_CAUSE) return false
  if (isStintError(error, 'call_not_sent')) return true
  const { status, statusCode, code, cause } = error as Record<string, unknown>
  const answered = typeof status === 'number' ? status : statusCode
  if (typeof answered === 'number') return answered >= 400 && answered < 600
  if (typeof code === 'string' && UNSENT_CODES.includes(code)) return true
  return showsRefusal(cause, depth + 1)
}
