import { isStintError, StintError } from '../../../core/index.ts'
import { isProviderError, isRefusal } from './is-refusal.ts'

/**
 * How far a model call came that failed: nothing was sent; the provider refused it, so that nothing was generated; or
 * that is not known, and it may have cost money.
 */
export type CallReach = 'unsent' | 'refused' | 'unknown'

// The request never left this machine, or nothing was there to take it: these occur at no other time.
const UNSENT_CODES = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
  // Nothing is sent to a server whose certificate isn't trusted.
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

// What fails before a byte of the request can be written: the name is looked up (`queryA`, …), a connection is made.
// The same codes of any other system call are those of a connection that was used, or of a file.
const BEFORE_SENDING = /^(?:connect|socket|getaddrinfo|lookup|query[A-Z]\w*)$/

const UNUSABLE_CODES = ['ERR_INVALID_URL', 'ERR_SOCKET_BAD_PORT']
// `fetch` gives no code where it doesn't even try; these are the words of its cause.
const UNUSABLE_WORDS = ['bad port', 'unknown scheme']

// The provider may have the request, and its answer didn't come or broke off.
const LOST_CODES = [
  'ECONNABORTED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'STINT_DEADLINE',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
]

const DEEPEST_CAUSE = 5

/** A call was not made after all, since its caller has gone away. Thrown in a model call, its room is given back. */
export class CallNotSentError extends StintError {
  constructor(cause?: unknown) {
    super('call_not_sent', 'The call was called off before anything was sent.', { cause })
  }
}

/** What an error shows of a call that has not been answered. A time-out or a broken connection shows nothing. */
export function reachOf(error: unknown): CallReach {
  let hasStatus = false
  const look = (link: Link): CallReach | null => {
    if (isStintError(link, 'call_not_sent')) return 'unsent'
    const status = statusOf(link)
    if (status === null) {
      if (!isUnsent(link)) return null
      // What answered with a status was reached, whatever it gives as its cause.
      return hasStatus ? 'unknown' : 'unsent'
    }
    if (isProviderError(link)) return isRefusal(status, link) ? 'refused' : 'unknown'
    // It may wrap the provider's own.
    hasStatus = true
    return null
  }
  return firstInChain(error, look) ?? 'unknown'
}

/** Whether the address of a call can't be used at all, so that asking again is no use: nothing was sent. */
export function isUnusableAddress(error: unknown): boolean {
  return firstInChain(error, (link) => (isUnusable(link) ? true : null)) ?? false
}

/**
 * Whether the upstream left a call without an end: a time-out, a connection that broke, a status that says nothing of
 * what was generated. Errors of the caller's own are not of this kind.
 */
export function isLeftOpen(error: unknown): boolean {
  return firstInChain(error, leftOpenByLink) ?? false
}

type Link = Readonly<Record<string, unknown>>

/** The first answer along the causes of an error. An error that can't even be read shows nothing. */
function firstInChain<Answer>(error: unknown, look: (link: Link) => Answer | null): Answer | null {
  try {
    let link = error
    for (let depth = 0; depth <= DEEPEST_CAUSE; depth++) {
      if (typeof link !== 'object' || link === null) return null
      const answer = look(link as Link)
      if (answer !== null) return answer
      link = (link as Link).cause
    }
    return null
  } catch {
    return null
  }
}

function leftOpenByLink(link: Link): boolean | null {
  const status = statusOf(link)
  if (status !== null) return status === 408 || status >= 500
  if (isUnsent(link)) return false
  return typeof link.code === 'string' && LOST_CODES.includes(link.code) ? true : null
}

function statusOf({ status, statusCode }: Link): number | null {
  const answered = typeof status === 'number' ? status : statusCode
  return typeof answered === 'number' ? answered : null
}

function isUnsent(link: Link): boolean {
  const { code, syscall, errors } = link
  // A host with several addresses: each was tried, and none could be reached. The code is that of the first.
  if (Array.isArray(errors) && errors.length > 0) return errors.every((each) => isUnsent(Object(each)))
  if (typeof syscall === 'string') return BEFORE_SENDING.test(syscall)
  if (typeof code === 'string' && UNSENT_CODES.includes(code)) return true
  return isUnusable(link)
}

function isUnusable({ code, message }: Link): boolean {
  if (typeof code === 'string') return UNUSABLE_CODES.includes(code)
  return typeof message === 'string' && UNUSABLE_WORDS.includes(message)
}
