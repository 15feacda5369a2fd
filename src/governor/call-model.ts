import { assertKnownOptions, progressFields } from '../core/index.ts'
import { elasticCall, fitThinking, type ModelPrice } from '../pricing/index.ts'
import {
  type AdmittedCall,
  accountCall,
  accountLate,
  accountUnanswered,
  beginProgress,
  type CallProgress,
  usageOf,
} from './account-call.ts'
import { admitCall } from './admit-call.ts'
import { assertCallerThere } from './assert-caller-there.ts'
import { assertWait } from './assert-wait.ts'
import type { CallOutcome, ModelCallSpec, ModelGrant } from './governor.ts'
import { holdForFirstCall } from './hold-for-closing.ts'
import { leftBesides } from './left-besides.ts'
import { MODEL_CALL_SPEC } from './model-call-spec.ts'
import { noteUnpriced } from './note-unpriced.ts'
import { priceForCall } from './price-for-call.ts'
import { type GrantedRoom, type RoomRequest, reserveRoom } from './reserve-room.ts'
import { runWithSignal } from './run-with-signal.ts'
import { type ScopeRuntime, subjectOf } from './scope-runtime.ts'
import { stoppedOutcome } from './stopped-outcome.ts'
import { headerFor } from './tell.ts'

/** Makes a model call within the limits of its scope. What `run` throws is thrown, after the call was accounted for. */
export async function callModel<Value>(
  runtime: ScopeRuntime,
  spec: ModelCallSpec,
  run: (grant: ModelGrant) => Promise<Value>,
): Promise<CallOutcome<Value>> {
  assertKnownOptions('scope.callModel', spec, MODEL_CALL_SPEC)
  const { price, notice } = priceForCall(runtime, spec)
  const request = requestFor(runtime, spec, price)
  assertCallerThere(spec.signal)
  await holdForFirstCall(runtime, spec, price)
  const room = await admitCall(runtime, request)
  if (!room.granted) return room
  if (notice !== null) noteUnpriced(runtime, notice, request.call, room)
  return runGranted(runtime, { spec, price, request, room, counted: { amounts: {} } }, run)
}

/**
 * The closing call: not held back by what halted the scope, paid from its hold, and made once. One that was refused,
 * here or by the provider, may be tried again with less.
 */
export async function callWrapUp<Value>(
  runtime: ScopeRuntime,
  spec: ModelCallSpec,
  run: (grant: ModelGrant) => Promise<Value>,
): Promise<CallOutcome<Value>> {
  assertKnownOptions('scope.callWrapUp', spec, MODEL_CALL_SPEC)
  assertCallerThere(spec.signal)
  const { price, notice } = priceForCall(runtime, spec)
  const isClosing = runtime.wrapsUp === true && !runtime.hasWrappedUp
  const request = { ...requestFor(runtime, spec, price), waitMs: 0, isClosing }
  if (isClosing) runtime.hasWrappedUp = true
  let isLetIn = false
  try {
    const room = await reserveRoom(runtime, request)
    isLetIn = room.granted
    if (!room.granted) return room
    tellWrapUp(runtime, room)
    if (notice !== null) noteUnpriced(runtime, notice, request.call, room)
    return await runGranted(runtime, { spec, price, request, room, counted: { amounts: {} } }, run)
  } finally {
    if (isClosing && !isLetIn) runtime.hasWrappedUp = false
  }
}

function tellWrapUp(runtime: ScopeRuntime, room: GrantedRoom): void {
  runtime.context.hub.emit({
    ...headerFor(runtime, 'wrap_up_started'),
    ...progressFields(subjectOf(runtime)),
    limit_kind: runtime.rootToSelf.find(({ halt }) => halt !== null)?.halt?.[0].meter ?? null,
    reservation: room.id,
    max_output_tokens: room.units,
  })
}

/** What a call asks of its scope. */
export function requestFor(runtime: ScopeRuntime, spec: ModelCallSpec, price: ModelPrice | null): RoomRequest {
  const { clock, waitMs } = runtime.context
  if (spec.waitMs !== undefined) assertWait('callModel({ waitMs })', spec.waitMs)
  const { fixed, elastic } = elasticCall({ ...spec, price, priceFactor: undefined })
  return {
    amounts: spec.toolCalls === undefined ? fixed : { ...fixed, toolCalls: spec.toolCalls },
    elastic,
    ...(spec.messages === undefined ? {} : { messages: spec.messages }),
    waitMs: spec.waitMs ?? waitMs,
    ...(spec.signal === undefined ? {} : { signal: spec.signal }),
    ...(spec.comesAgain === undefined ? {} : { comesAgain: spec.comesAgain }),
    ...(spec.tellsLeft === undefined ? {} : { tellsLeft: spec.tellsLeft }),
    call: { call: 'model', name: spec.model ?? null, startedAtMs: clock.monotonicMs() },
  }
}

async function runGranted<Value>(
  runtime: ScopeRuntime,
  admitted: AdmittedCall,
  run: (grant: ModelGrant) => Promise<Value>,
): Promise<CallOutcome<Value>> {
  const { spec, request, room } = admitted
  if (spec.signal?.aborted === true) {
    await accountUnanswered(runtime, admitted, { reach: 'unsent' })
    assertCallerThere(spec.signal)
  }
  const isLast = request.isClosing === true || spec.runsOn === true
  const progress = beginProgress()
  const grant = grantFor(runtime, spec, room, progress)
  const end = await runWithSignal(runtime, { isClosing: isLast }, (signal) => run({ ...grant, signal }))
  await accountCall(runtime, admitted, end, progress)
  if (end.kind === 'abandoned') void accountLate(runtime, admitted, end.late, progress)
  if (end.kind !== 'done') return stoppedOutcome(runtime, end, false)
  const clampedTo = room.units < spec.maxOutputTokens ? room.units : null
  const usage = usageOf(end, progress)
  if (clampedTo !== null && (usage?.outputTokens ?? 0) >= clampedTo) tellClamped(runtime, admitted)
  return { granted: true, value: end.value, breach: null, clampedTo }
}

/** What a call is told that was let in, and how it tells what becomes of it. */
export function grantFor(
  runtime: ScopeRuntime,
  spec: ModelCallSpec,
  room: GrantedRoom,
  progress: CallProgress,
): Omit<ModelGrant, 'signal'> {
  const { thinkingBudget = null, smallestThinking } = spec
  const fit = {
    askedOutput: spec.maxOutputTokens,
    grantedOutput: room.units,
    thinkingBudget: thinkingBudget ?? 0,
    ...(smallestThinking === undefined ? {} : { smallestThinking }),
  }
  const firstByte = (): void => {
    progress.hasFirstByte = true
    runtime.clocks.touch()
  }
  return {
    maxOutputTokens: room.units,
    thinkingBudget: thinkingBudget === null ? null : fitThinking(fit),
    reservationId: room.id,
    left: room.left === null ? null : leftBesides(runtime, room.left),
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

function tellClamped(runtime: ScopeRuntime, { spec, request, room }: AdmittedCall): void {
  runtime.context.hub.emit({
    ...headerFor(runtime, 'call_clamped'),
    reservation: room.id,
    call: request.call.call,
    call_name: request.call.name,
    asked_output_tokens: spec.maxOutputTokens,
    granted_output_tokens: room.units,
  })
}
