import type { Meter } from '../../core/index.ts'
import { CallNotSentError, type ModelAnswer, type ModelGrant, touchScope } from '../../governor/index.ts'
import type { Usage } from '../../pricing/index.ts'
import type { AnswerReading, AnswerRelay, RequestEdits } from '../dialects/dialect.ts'
import { budgetHeaders } from '../http/answer-headers.ts'
import { startExchange } from '../upstream/exchange.ts'
import { UpstreamBrokenError, UpstreamRefusedError } from '../upstream/upstream-errors.ts'
import { isErrorAlone, rememberUsage, usageOf } from './answer-usage.ts'
import { type ClientSink, createClientSink, type Holding } from './client-sink.ts'
import type { LiveCall } from './live-call.ts'
import { grantedEdits, hidesUsage, type PlannedCall } from './planned-call.ts'
import { createToolGate } from './tool-gate.ts'

/** An answer that has come to its end; `rest` of it goes to the client when it is settled. */
export interface SentCall {
  readonly usage: Partial<Usage> | null
  /** It has no regular end: what its usage leaves open is not known. */
  readonly isCut: boolean
  /** The output cap that it was granted. */
  readonly cap: number
  readonly reading: AnswerReading
  readonly sink: ClientSink
  readonly rest: Buffer
}

/** How an answer is kept from its client until it is known to be of use. */
export interface HeldBack {
  readonly holding: Holding
  /** There is another one to send in its place: of one that fails nothing is sent. */
  readonly isSecond: boolean
}

/** A call as the governor is told of it. */
export function answered(sent: SentCall): ModelAnswer<SentCall> {
  return { value: sent, usage: sent.usage, isCut: sent.isCut }
}

/** Sends a call under its grant and hands the answer on. Throws where there was none, or it broke off. */
export async function sendCall(
  call: LiveCall,
  planned: PlannedCall,
  grant: ModelGrant,
  heldBack: HeldBack | null = null,
): Promise<SentCall> {
  const { client, dialect, request, limits, target, bounds } = call
  if (client.isOver()) throw new CallNotSentError()
  call.reservations.spend(grant.reservationId)
  const edits = grantedEdits(call, planned.edits, grant)
  const body = isNothing(edits) ? request.body : dialect.editRequest(request, edits)
  // Also where the request has no tools: what comes all the same counts like any other call.
  const boundsCalls = limits.boundsTools && !planned.isClosing
  const gate = boundsCalls ? createToolGate(call, planned.estimate.digest) : null
  const options = { admitToolCall: gate?.admit ?? null, hidesUsage: hidesUsage(call), isClosing: planned.isClosing }
  const sink = createClientSink({
    response: call.response,
    client,
    relayFor: (isEventStream) => watched(dialect.relayAnswer(request, { ...options, isEventStream }), call, grant),
    budget: grant.left === null ? null : shownBudget(call, grant.left, edits.maxOutputTokens ?? null),
    holding: heldBack?.holding ?? null,
  })
  const isAlone = heldBack?.isSecond !== true
  const exchange = startExchange({ ...target, body, asksForStream: request.isStream }, sink, bounds)
  client.setExchange(exchange)
  // The signal is this call's own and goes with it: a listener that is left behind is nobody's.
  const stop = (): void => exchange.abort(asError(grant.signal.reason))
  if (grant.signal.aborted) stop()
  else grant.signal.addEventListener('abort', stop)
  const end = await exchange.end
  if (end.kind === 'refused') {
    count(grant, planned, null, 0)
    throw new UpstreamRefusedError(end.status, end)
  }
  const { reading } = end
  // A client that left may have run what it was sent; one that is told of an error does not.
  const ran = end.kind === 'answered' || client.isGone()
  const own = gate === null ? (ran ? (reading?.toolCalls.passed ?? 0) : 0) : await gate.end({ ran })
  count(grant, planned, reading, own)
  if (end.kind === 'broken') {
    const known = reading === null ? null : usageOf(reading)
    if (known !== null) grant.report(known)
    if (isAlone) sink.letGo()
    throw new UpstreamBrokenError(end.error)
  }
  if (isErrorAlone(end.reading)) {
    if (isAlone) sink.finish(end.rest)
    throw new UpstreamRefusedError(503, null)
  }
  rememberUsage(call, planned.estimate, end.reading)
  const isCut = !end.reading.isComplete
  return { usage: usageOf(end.reading), isCut, cap: grant.maxOutputTokens, reading: end.reading, sink, rest: end.rest }
}

function isNothing(edits: RequestEdits): boolean {
  for (const _ in edits) return false
  return true
}

/** An answer under the eyes of its scope: each piece is a sign of life, and after the first it is no longer free. */
function watched(relay: AnswerRelay, { scope }: LiveCall, grant: ModelGrant): AnswerRelay {
  let hasBegun = false
  return {
    push(bytes) {
      const passed = relay.push(bytes)
      if (hasBegun) touchScope(scope)
      else if (!relay.reading().hasError) {
        hasBegun = true
        grant.firstByte()
      }
      return passed
    },
    end: () => relay.end(),
    reading: () => relay.reading(),
  }
}

/**
 * Says who answered and how many tools were called. The forced call of a closing answer is its form, and counts as none.
 * Where nothing was read, those that the provider runs itself may all have been.
 */
function count(grant: ModelGrant, planned: PlannedCall, reading: AnswerReading | null, own: number): void {
  const ownCalls = planned.isClosing || planned.isCarried ? 0 : own
  if (reading === null) {
    grant.count({ toolCalls: ownCalls + planned.providerCalls })
    return
  }
  const { providerToolCalls, webSearches, fileSearches = 0 } = reading
  if (reading.served !== undefined) grant.servedAs(reading.served)
  grant.count({ toolCalls: ownCalls + providerToolCalls, webSearches, fileSearches })
}

function shownBudget(
  { state, request }: LiveCall,
  left: ReadonlyMap<Meter, number>,
  cap: number | null,
): readonly string[] {
  const isClamped = cap !== null && cap < (request.maxOutputTokens ?? 0)
  return budgetHeaders(state.shownPath, left, isClamped ? cap : null)
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('The call was stopped.')
}
