import { type Breaches, isLimitExceeded, isStintError } from '../../core/index.ts'
import { ScopePausedError } from '../../governor/index.ts'
import type { WireError } from '../dialects/dialect.ts'
import type { RequestEnd } from '../gateway.ts'
import { answerHeaders } from '../http/answer-headers.ts'
import { type RefusalOptions, refuse } from '../http/refuse.ts'
import { brokenError, UpstreamBrokenError, UpstreamRefusedError } from '../upstream/upstream-errors.ts'
import type { LiveCall } from './live-call.ts'
import { breachedText, endedText, pausedText, type RefusedFor } from './refusal-texts.ts'

type Answered = Pick<LiveCall, 'response' | 'client' | 'dialect' | 'caller' | 'scope' | 'keyScope'> &
  Partial<Pick<LiveCall, 'request'>>

const RETRY_AFTER_S = 1

/** Answers a client whose request a limit refused. */
export function refuseBreached(call: Answered, breaches: Breaches): RequestEnd {
  refuseWith(call, { kind: 'budget', message: breachedText(call, breaches) })
  return 'refused-by-stint'
}

/** The call was admitted, and then ran out of time. */
export function stopCall(call: Answered, breaches: Breaches | null): RequestEnd {
  if (breaches !== null && !call.response.headersSent) refuseBreached(call, breaches)
  else call.response.destroy()
  return 'unanswered'
}

/**
 * Answers any error. The client only sees its message, and for foreign errors not even that. Returns the outcome of the
 * request.
 */
export function refuseFailed(call: Answered, failure: unknown): RequestEnd {
  if (failure instanceof UpstreamRefusedError) {
    passRefusal(call, failure)
    return 'refused-by-provider'
  }
  if (failure instanceof UpstreamBrokenError) {
    const { error, status } = brokenError(failure)
    refuseWith(call, error, { status })
    return 'unanswered'
  }
  refuseWith(call, ...errorFor(failure, call))
  return 'refused-by-stint'
}

function errorFor(failure: unknown, call: RefusedFor): [WireError, RefusalOptions?] {
  if (!isStintError(failure)) return [{ kind: 'internal', message: 'The gateway failed. Its log says why.' }]
  const { code, message } = failure
  if (code === 'bad_request' || code === 'invalid_call') return [{ kind: 'bad-request', message }]
  if (isLimitExceeded(failure)) return [{ kind: 'budget', message: breachedText(call, failure.breaches) }]
  if (code === 'unpriced_model') return [{ kind: 'budget', message }]
  if (code === 'scope_closed') return [{ kind: 'budget', message: endedText(call) }]
  if (failure instanceof ScopePausedError) return [{ kind: 'budget', message: pausedText(call, failure.scopeId) }]
  if (code === 'store_busy' || code === 'store_unavailable' || code === 'governor_closed') {
    const text = 'The ledger cannot be reached, so nothing can be admitted. Try again later.'
    return [
      { kind: 'internal', message: text },
      { status: 503, retryAfterS: RETRY_AFTER_S },
    ]
  }
  // Which file it is, and what happened to it, is for the operator only.
  if (code.startsWith('ledger_')) {
    const text = 'The gateway has lost its ledger, so nothing can be admitted. Its operator must restart it.'
    return [{ kind: 'internal', message: text }, { status: 503 }]
  }
  return [{ kind: 'internal', message }]
}

/** The provider's error as it is; only its status if the rest cannot be passed on. */
function passRefusal(call: Answered, { refused, status }: UpstreamRefusedError): void {
  const { response, client } = call
  if (refused === null || client.isGone) return
  // A redirect is not followed: only the operator decides where requests go.
  const isRedirection = status < 400
  const { body } = refused
  if (response.headersSent || isRedirection || body === null) {
    const message = `The provider answered with status ${status}.`
    refuseWith(call, { kind: 'upstream', message }, { status: isRedirection ? 502 : status })
    return
  }
  response.writeHead(refused.status, [...answerHeaders(refused.headers, null), 'content-length', String(body.length)])
  response.end(body)
}

function refuseWith(call: Answered, error: WireError, options: RefusalOptions = {}): void {
  const { response, client, dialect, caller, request } = call
  if (client.isGone || response.writableEnded) return
  // Keep-alives were sent, so the status is already fixed: an error inside a stream would only be retried.
  if (client.hasOnlyPings && request !== undefined) {
    response.end(dialect.shortAnswer(request, error.message))
    return
  }
  refuse(response, dialect, error, { isCodex: caller.isCodex, ...options })
}
