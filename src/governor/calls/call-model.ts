import { assertKnownOptions, optionNames, progressFields } from '../../core/index.ts'
import { fitThinking } from '../../pricing/index.ts'
import type { CallOutcome, CallReport, ModelAnswer, ModelCallSpec, ModelGrant } from '../call.ts'
import { headerFor } from '../events/emit.ts'
import { type ScopeRuntime, subjectOf } from '../scope/scope-runtime.ts'
import { accountCall, accountLate, accountUnanswered, reportOf } from './account-call.ts'
import { admitCall } from './admit-call.ts'
import { assertCallerThere } from './assert-caller-there.ts'
import { type AdmittedCall, beginCallRecord } from './call-record.ts'
import { runWithSignal } from './ends/run-with-signal.ts'
import { stoppedOutcome } from './ends/stopped-outcome.ts'
import { leftOnMeters } from './left-on-meters.ts'
import { MODEL_CALL_SPEC } from './model-call-spec.ts'
import { noteUnpriced } from './note-unpriced.ts'
import { priceForCall } from './price-for-call.ts'
import { reserveRoom } from './reserve-room.ts'
import type { GrantedRoom } from './room-request.ts'
import { isBegun, isTightCap, noteAdmission } from './wrap-up/conversation.ts'
import { fitToCount } from './wrap-up/fit-to-count.ts'
import { restartAfterReset } from './wrap-up/restart-conversation.ts'
import { steadyThinking } from './wrap-up/steady-thinking.ts'

/** Makes a model call within the limits of its scope. Rethrows what `run` throws, once the call is accounted for. */
export async function callModel<Value>(
  runtime: ScopeRuntime,
  spec: ModelCallSpec,
  run: (grant: ModelGrant) => Promise<ModelAnswer<Value>>,
): Promise<CallOutcome<Value>> {
  assertKnownOptions('scope.callModel', spec, MODEL_CALL_SPEC)
  const { price, notice } = priceForCall(runtime, spec)
  assertCallerThere(spec.signal)
  restartAfterReset(runtime)
  const { closing, conversation } = runtime
  // Whether the conversation this call belongs to is promised a closing call.
  const isTalk = closing.wrapsUp === true && !closing.hasWrappedUp && spec.isAside !== true
  const call = beginCallRecord(runtime, spec, price, { isTalk })
  const room = await (spec.countTokens === undefined ? admitCall(runtime, call.ask) : fitToCount(call, admitCall))
  if (isTalk) noteAdmission(conversation, room.kind === 'refused' ? room.breaches : null)
  if (room.kind === 'refused') return room
  if (isTalk) closing.holdAsk ??= call.ask.hold ?? null
  if (notice !== null) noteUnpriced(runtime, notice, call.ask.call, room)
  return runGranted({ ...call, room }, run)
}

/**
 * The closing call: made once, paid from its hold, and not blocked by what halted the scope. If it was refused, here or
 * by the provider, it may be retried with less; if its answer was useless, it may be made `again` from what it left
 * unspent.
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
  const call = beginCallRecord(runtime, spec, price, { isClosing, waitMs: 0 })
  if (isClosing) closing.hasWrappedUp = true
  let isLetIn = false
  try {
    const room = await (spec.countTokens === undefined ? reserveRoom(runtime, call.ask) : fitToCount(call, reserveRoom))
    isLetIn = room.kind === 'granted'
    if (room.kind === 'refused') return room
    if (!again) emitWrapUp(runtime, room)
    if (notice !== null) noteUnpriced(runtime, notice, call.ask.call, room)
    return await runGranted({ ...call, room }, run)
  } finally {
    if (isClosing && !isLetIn) closing.hasWrappedUp = again
  }
}

function emitWrapUp(runtime: ScopeRuntime, room: GrantedRoom): void {
  runtime.context.hub.emit({
    ...headerFor(runtime, 'wrap_up_started'),
    ...progressFields(subjectOf(runtime)),
    limit_kind: runtime.rootToSelf.find(({ life }) => life.halt !== null)?.life.halt?.[0].meter ?? null,
    reservation: room.id,
    max_output_tokens: room.units,
  })
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
  const report = reportOf(end, progress)
  await accountCall(call, end, report)
  if (end.kind === 'abandoned') void accountLate(call, end.late)
  if (end.kind !== 'done') return stoppedOutcome(runtime, end, false)
  const clampedTo = room.units < spec.maxOutputTokens ? room.units : null
  if (clampedTo !== null && (report.usage?.outputTokens ?? 0) >= clampedTo) emitClamped(call)
  // An unreadable answer was charged all the same.
  return { kind: 'done', value: end.value?.value, clampedTo }
}

const REPORT = optionNames<CallReport>({
  usage: true,
  toolCalls: true,
  webSearches: true,
  fileSearches: true,
  servedBy: true,
  isCut: true,
})

/** What an admitted call receives, and how it reports back. `works`: the scope that the call belongs to. */
export function grantFor(call: AdmittedCall, works: ScopeRuntime): Omit<ModelGrant, 'signal'> {
  const { spec, room, isTalk, progress, priced } = call
  if (priced.thinkingBudget !== null) progress.thinkingBudget = thinkingFor(works, call, priced.thinkingBudget)
  const firstByte = (): void => {
    progress.hasFirstByte = true
    works.clocks.touch()
  }
  return {
    maxOutputTokens: room.units,
    thinkingBudget: progress.thinkingBudget,
    isTight: isTalk && room.units < spec.maxOutputTokens && isTightCap(works.conversation, spec, room.units),
    reservationId: room.id,
    left: room.left === null ? null : leftOnMeters(works, room.left),
    firstByte,
    report(partial) {
      assertKnownOptions('grant.report', partial, REPORT)
      const { usage = null } = partial
      if (usage !== null) firstByte()
      progress.reported = {
        ...progress.reported,
        ...partial,
        usage: usage === null ? (progress.reported.usage ?? null) : { ...progress.reported.usage, ...usage },
      }
    },
  }
}

function thinkingFor(
  { conversation }: ScopeRuntime,
  { spec, priced, room, isTalk }: AdmittedCall,
  thinkingBudget: number,
): number | null {
  const { smallestThinking } = priced
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

function emitClamped({ runtime, spec, ask, room }: AdmittedCall): void {
  runtime.context.hub.emit({
    ...headerFor(runtime, 'call_clamped'),
    reservation: room.id,
    call: ask.call.call,
    call_name: ask.call.name,
    asked_output_tokens: spec.maxOutputTokens,
    granted_output_tokens: room.units,
  })
}
