import { assertKnownOptions, type ElasticAsk, progressFields } from '../../core/index.ts'
import { elasticCall, fitThinking, type ModelPrice, SMALLEST_THINKING } from '../../pricing/index.ts'
import type { CallOutcome, ModelAnswer, ModelCallSpec, ModelGrant } from '../call.ts'
import { headerFor } from '../events/tell.ts'
import { type ScopeRuntime, subjectOf } from '../scope/scope-runtime.ts'
import { accountCall, accountLate, accountUnanswered, usageOf, valueIn } from './account-call.ts'
import { admitCall } from './admit-call.ts'
import { assertCallerThere } from './assert-caller-there.ts'
import { type AdmittedCall, admitted, beginCallRecord } from './call-record.ts'
import { beginAnewAfterReset } from './closing/begin-anew.ts'
import { closingPlan } from './closing/closing-plan.ts'
import { isBegun, isTightCap, noteAdmission } from './closing/conversation.ts'
import { fitToCount } from './closing/fit-to-count.ts'
import { steadyThinking } from './closing/steady-thinking.ts'
import { runWithSignal } from './ends/run-with-signal.ts'
import { stoppedOutcome } from './ends/stopped-outcome.ts'
import { leftBesides } from './left-besides.ts'
import { MODEL_CALL_SPEC } from './model-call-spec.ts'
import { noteUnpriced } from './note-unpriced.ts'
import { priceForCall } from './price-for-call.ts'
import { type GrantedRoom, type RoomRequest, reserveRoom } from './reserve-room.ts'
import { assertWait } from './waiting/assert-wait.ts'

/** Makes a model call within the limits of its scope. What `run` throws is thrown, after the call was accounted for. */
export async function callModel<Value>(
  runtime: ScopeRuntime,
  spec: ModelCallSpec,
  run: (grant: ModelGrant) => Promise<ModelAnswer<Value>>,
): Promise<CallOutcome<Value>> {
  assertKnownOptions('scope.callModel', spec, MODEL_CALL_SPEC)
  const { price, notice } = priceForCall(runtime, spec)
  assertCallerThere(spec.signal)
  beginAnewAfterReset(runtime)
  const isTalk = isOfConversation(runtime, spec)
  const askFor = (fitted: ModelCallSpec): RoomRequest => requestFor(runtime, fitted, price, isTalk)
  const call = beginCallRecord({ runtime, spec, price, isTalk, ask: askFor(spec) })
  const room = await fitToCount(call, askFor, (ask) => admitCall(runtime, ask))
  if (isTalk) noteAdmission(runtime.conversation, room.kind === 'refused' ? room.breaches : null)
  if (room.kind === 'refused') return room
  if (isTalk) runtime.closing.holdAsk ??= call.ask.hold ?? null
  if (notice !== null) noteUnpriced(runtime, notice, call.ask.call, room)
  return runGranted(admitted(call, room), run)
}

/** Whether a closing call is promised to the conversation that a call belongs to. */
function isOfConversation({ closing }: ScopeRuntime, { isAside }: ModelCallSpec): boolean {
  return closing.wrapsUp === true && !closing.hasWrappedUp && isAside !== true
}

/**
 * The closing call: not held back by what halted the scope, paid from its hold, and made once. One that was refused,
 * here or by the provider, may be tried again with less; one whose answer was of no use may be made `again`, from what
 * it has left unspent.
 */
export async function callWrapUp<Value>(
  runtime: ScopeRuntime,
  spec: ModelCallSpec,
  run: (grant: ModelGrant) => Promise<ModelAnswer<Value>>,
  { again = false }: { readonly again?: boolean } = {},
): Promise<CallOutcome<Value>> {
  assertKnownOptions('scope.callWrapUp', spec, MODEL_CALL_SPEC)
  assertCallerThere(spec.signal)
  const { price, notice } = priceForCall(runtime, spec)
  const turnedAway = isBegun(spec) ? null : runtime.conversation.turnedAwayBy
  if (turnedAway !== null) return { kind: 'refused', breach: turnedAway[0], breaches: turnedAway, mayFitLater: false }
  const { closing } = runtime
  const isClosing = closing.wrapsUp === true && closing.hasWrappedUp === again
  const askFor = (fitted: ModelCallSpec): RoomRequest => {
    return { ...requestFor(runtime, fitted, price), waitMs: 0, isClosing }
  }
  const call = beginCallRecord({ runtime, spec, price, isTalk: false, ask: askFor(spec) })
  if (isClosing) closing.hasWrappedUp = true
  let isLetIn = false
  try {
    const room = await fitToCount(call, askFor, (ask) => reserveRoom(runtime, ask))
    isLetIn = room.kind === 'granted'
    if (room.kind === 'refused') return room
    if (!again) tellWrapUp(runtime, room)
    if (notice !== null) noteUnpriced(runtime, notice, call.ask.call, room)
    return await runGranted(admitted(call, room), run)
  } finally {
    if (isClosing && !isLetIn) closing.hasWrappedUp = again
  }
}

function tellWrapUp(runtime: ScopeRuntime, room: GrantedRoom): void {
  runtime.context.hub.emit({
    ...headerFor(runtime, 'wrap_up_started'),
    ...progressFields(subjectOf(runtime)),
    limit_kind: runtime.rootToSelf.find(({ life }) => life.halt !== null)?.life.halt?.[0].meter ?? null,
    reservation: room.id,
    max_output_tokens: room.units,
  })
}

/** What a call asks of its scope; as a part of its conversation it leaves the closing call of that payable. */
export function requestFor(
  runtime: ScopeRuntime,
  spec: ModelCallSpec,
  price: ModelPrice | null,
  isTalk = false,
): RoomRequest {
  const { clock, waitMs } = runtime.context
  if (spec.waitMs !== undefined) assertWait('callModel({ waitMs })', spec.waitMs)
  const { fixed, elastic } = elasticCall({ ...spec, price, priceFactor: undefined })
  const plan = isTalk ? closingPlan(runtime.conversation, spec, price, clock.monotonicMs()) : null
  return {
    amounts: spec.toolCalls === undefined ? fixed : { ...fixed, toolCalls: spec.toolCalls },
    ...(plan === null ? { elastic } : { elastic: withFloor(elastic, plan.floor), hold: plan.hold }),
    ...(spec.messages === undefined ? {} : { messages: spec.messages }),
    waitMs: spec.waitMs ?? waitMs,
    ...(spec.signal === undefined ? {} : { signal: spec.signal }),
    ...(spec.comesAgain === undefined ? {} : { comesAgain: spec.comesAgain }),
    ...(spec.tellsLeft === undefined ? {} : { tellsLeft: spec.tellsLeft }),
    call: { call: 'model', name: spec.model ?? null, startedAtMs: clock.monotonicMs() },
  }
}

function withFloor(elastic: ElasticAsk, floor: number): ElasticAsk {
  const least = Math.min(elastic.most, Math.max(elastic.least, floor))
  return { ...elastic, least, enough: Math.max(elastic.enough, least) }
}

async function runGranted<Value>(
  call: AdmittedCall,
  run: (grant: ModelGrant) => Promise<ModelAnswer<Value>>,
): Promise<CallOutcome<Value>> {
  const { runtime, spec, ask, room, progress } = call
  if (spec.signal?.aborted === true) {
    await accountUnanswered(call, { reach: 'unsent' })
    assertCallerThere(spec.signal)
  }
  const isLast = ask.isClosing === true || spec.runsOn === true
  const grant = grantFor(call, runtime)
  const end = await runWithSignal(runtime, { isClosing: isLast }, (signal) => run({ ...grant, signal }))
  await accountCall(call, end)
  if (end.kind === 'abandoned') void accountLate(call, end.late)
  if (end.kind !== 'done') return stoppedOutcome(runtime, end, false)
  const clampedTo = room.units < spec.maxOutputTokens ? room.units : null
  const usage = usageOf(end, progress)
  if (clampedTo !== null && (usage?.outputTokens ?? 0) >= clampedTo) tellClamped(call)
  return { kind: 'done', value: valueIn(end.value), clampedTo }
}

/** What a call is told that was let in, and how it tells what becomes of it. `works`: the scope that it is work of. */
export function grantFor(call: AdmittedCall, works: ScopeRuntime): Omit<ModelGrant, 'signal'> {
  const { spec, room, isTalk, progress } = call
  progress.thinkingBudget = thinkingFor(works, call)
  const firstByte = (): void => {
    progress.hasFirstByte = true
    works.clocks.touch()
  }
  return {
    maxOutputTokens: room.units,
    thinkingBudget: progress.thinkingBudget,
    isTight: isTalk && isTightCap(works.conversation, spec, room.units),
    reservationId: room.id,
    left: room.left === null ? null : leftBesides(works, room.left),
    firstByte,
    report(usage) {
      firstByte()
      progress.reported = { ...progress.reported, ...usage }
    },
    servedAs(served) {
      progress.served = { ...progress.served, ...served }
    },
    count(done) {
      progress.counted = { ...progress.counted, ...done }
    },
  }
}

function thinkingFor({ conversation }: ScopeRuntime, { spec, room, isTalk }: AdmittedCall): number | null {
  const { thinkingBudget = null, smallestThinking = SMALLEST_THINKING } = spec
  if (thinkingBudget === null) return null
  const question = {
    askedOutput: spec.maxOutputTokens,
    grantedOutput: room.units,
    thinkingBudget,
    smallestThinking,
  }
  if (!isTalk) return fitThinking(question)
  const budget = steadyThinking(conversation, question)
  if (budget !== null && budget < thinkingBudget) conversation.thinkingBudget = budget
  return budget
}

function tellClamped({ runtime, spec, ask, room }: AdmittedCall): void {
  runtime.context.hub.emit({
    ...headerFor(runtime, 'call_clamped'),
    reservation: room.id,
    call: ask.call.call,
    call_name: ask.call.name,
    asked_output_tokens: spec.maxOutputTokens,
    granted_output_tokens: room.units,
  })
}
