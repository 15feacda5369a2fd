import { isStintError, StintError } from '../../../core/index.ts'
import { isProviderError, isRefusal } from './is-refusal.ts'

/**
 * How far a failed model call got: it was not sent; the provider refused it, so nothing was generated; or that is
 * unknown, and it may have cost money.
 */
export type CallReach = 'unsent' | 'refused' | 'unknown'

// The request never left this machine, or nothing accepted the connection: these codes occur at no other time.
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

// These fail before a byte of the request can be written: the DNS lookup (`queryA`, …) and the connection. From any
// other system call, the same codes mean an established connection, or a file.
const BEFORE_SENDING = /^(?:connect|socket|getaddrinfo|lookup|query[A-Z]\w*)$/

const UNUSABLE_CODES = ['ERR_INVALID_URL', 'ERR_SOCKET_BAD_PORT']
// `fetch` gives no code if it does not even try; these are the messages of its cause.
const UNUSABLE_WORDS = ['bad port', 'unknown scheme']

// The provider may have received the request, but its answer did not arrive or broke off.
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

/** The call was not made because its caller had gone away. When thrown in a model call, the reservation is released. */
export class CallNotSentError extends StintError<'call_not_sent'> {
  constructor(cause?: unknown) {
    super('call_not_sent', 'The call was cancelled before anything was sent.', { cause })
  }
}

/** What an error proves about a call without an answer. A timeout or a broken connection proves nothing. */
export function reachOf(error: unknown): CallReach {
  let hasStatus = false
  const look = (link: Link): CallReach | null => {
    if (isStintError(link, 'call_not_sent')) return 'unsent'
    const status = statusOf(link)
    if (status === null) {
      if (!isUnsent(link)) return null
      // A status means that the provider was reached, whatever the cause says.
      return hasStatus ? 'unknown' : 'unsent'
    }
    if (isProviderError(link)) return isRefusal(status, link) ? 'refused' : 'unknown'
    // It may wrap the provider's own error.
    hasStatus = true
    return null
  }
  return firstInChain(error, look) ?? 'unknown'
}

/** Whether the address of a call is unusable, so that retrying is pointless: nothing was sent. */
export function isUnusableAddress(error: unknown): boolean {
  return firstInChain(error, (link) => (isUnusable(link) ? true : null)) ?? false
}

/**
 * Whether the upstream never finished a call: a timeout, a broken connection, or a status that does not say what was
 * generated. Errors in the caller's own code are excluded.
 */
export function isLeftOpen(error: unknown): boolean {
  return firstInChain(error, leftOpenByLink) ?? false
}

type Link = Readonly<Record<string, unknown>>

/** The first result along an error's chain of causes. An unreadable error gives none. */
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
  // A host with several addresses: all were tried, and none could be reached. The code is that of the first.
  if (Array.isArray(errors) && errors.length > 0) return errors.every((each) => isUnsent(Object(each)))
  if (typeof syscall === 'string') return BEFORE_SENDING.test(syscall)
  if (typeof code === 'string' && UNSENT_CODES.includes(code)) return true
  return isUnusable(link)
}

function isUnusable({ code, message }: Link): boolean {
  if (typeof code === 'string') return UNUSABLE_CODES.includes(code)
  return typeof message === 'string' && UNUSABLE_WORDS.includes(message)
}
