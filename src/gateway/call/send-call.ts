import { edgeOf } from '../../governor/edge.ts'
import { CallNotSentError, type ModelGrant } from '../../governor/index.ts'
import type { Attempt, SentAnswer } from '../../loop/agent-call.ts'
import type { PlannedCall } from '../../loop/planned-call.ts'
import type { AnswerReading } from '../dialects/dialect.ts'
import { freeEdited } from '../dialects/shared/request/edited-body.ts'
import { budgetHeaders } from '../http/answer-headers.ts'
import { startExchange } from '../upstream/exchange.ts'
import { UpstreamBrokenError, UpstreamRefusedError } from '../upstream/upstream-errors.ts'
import { answerOf, isErrorAlone, usageOf } from './answer-usage.ts'
import { type ClientSink, createClientSink, type Holding } from './client-sink.ts'
import type { LiveCall } from './live-call.ts'
import { createToolGate } from './tool-gate.ts'

/** A finished answer; its `rest` goes to the client once it is settled. */
export interface SentCall extends SentAnswer {
  readonly reading: AnswerReading
  readonly sink: ClientSink
  readonly rest: Buffer
}

/** Sends a call under its grant and passes the answer on. Throws if there was none, or it broke off. */
export async function sendCall(
  call: LiveCall,
  { planned, edits, grant, isSecond }: Attempt,
  holding: Holding | null,
): Promise<SentCall> {
  const { client, dialect, request, limits, target, bounds } = call
  if (client.signal.aborted) throw new CallNotSentError()
  call.reservations.spend(grant.reservationId)
  const body = dialect.editRequest(request, edits)
  // Also if the request has no tools: a call that comes anyway counts like any other.
  const boundsCalls = limits.boundsTools && !planned.isClosing
  const gate = boundsCalls ? createToolGate(call, planned.estimate.digest) : null
  const { hidesUsage } = request
  const options = { admitToolCall: gate?.admit ?? null, hidesUsage, isClosing: planned.isClosing }
  const cap = edits.maxOutputTokens ?? null
  const clampedTo = cap !== null && cap < (request.maxOutputTokens ?? 0) ? cap : null
  let hasBegun = false
  const sink = createClientSink({
    response: call.response,
    client,
    relayFor: (isEventStream) => dialect.relayAnswer(request, { ...options, isEventStream }),
    // Each piece counts as activity of its scope, and after the first one the answer is no longer free.
    onPiece(relay) {
      if (hasBegun) edgeOf(call.scope).touch()
      else if (!relay.reading().hasError) {
        hasBegun = true
        grant.firstByte()
      }
    },
    budget: grant.left === null ? null : budgetHeaders(call.state.shownPath, grant.left, clampedTo),
    holding,
  })
  const exchange = startExchange({ ...target, body, asksForStream: request.isStream }, sink, bounds)
  client.exchange = exchange
  // The signal belongs to this call and goes away with it, and so does a listener that is left behind.
  const stop = (): void => exchange.abort(asError(grant.signal.reason))
  if (grant.signal.aborted) stop()
  else grant.signal.addEventListener('abort', stop)
  const end = await exchange.end
  if (end.kind === 'refused') {
    reportCalls(call, planned, grant, null, 0)
    throw new UpstreamRefusedError(end.status, end)
  }
  const { reading } = end
  if (end.kind === 'answered') freeEdited(request, body)
  // A client that left may have run what it was sent; one that receives an error does not.
  const ran = end.kind === 'answered' || client.isGone
  const own = gate === null ? (ran ? (reading?.toolCalls.passed ?? 0) : 0) : await gate.end({ ran })
  reportCalls(call, planned, grant, reading, own)
  if (end.kind === 'broken') {
    const known = reading === null ? null : usageOf(reading)
    if (known !== null) grant.report({ usage: known })
    if (!isSecond) sink.letGo()
    throw new UpstreamBrokenError(end.error)
  }
  if (end.reading.hasError && isErrorAlone(end.reading)) {
    if (!isSecond) sink.finish(end.rest)
    throw new UpstreamRefusedError(503, null)
  }
  return { ...answerOf(end.reading), cap: grant.maxOutputTokens, reading: end.reading, sink, rest: end.rest }
}

/**
 * Reports who answered and how many tools were called. The forced call of a closing answer is its format, and does
 * not count. If nothing was read, all provider-run calls may have been made.
 */
function reportCalls(
  { isCarried }: LiveCall,
  planned: PlannedCall,
  grant: ModelGrant,
  reading: AnswerReading | null,
  own: number,
): void {
  const ownCalls = planned.isClosing || isCarried ? 0 : own
  if (reading === null) {
    grant.report({ toolCalls: ownCalls + planned.providerCalls })
    return
  }
  const { providerToolCalls, webSearches, fileSearches = 0, served: servedBy } = reading
  grant.report({ toolCalls: ownCalls + providerToolCalls, webSearches, fileSearches, servedBy })
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('The call was stopped.')
}
