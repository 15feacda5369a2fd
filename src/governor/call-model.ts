import { type Amounts, assertKnownOptions, isAmount, progressFields } from '../core/index.ts'
import { elasticCall, type FeeCounts, fitThinking, type ModelPrice, type Usage } from '../pricing/index.ts'
import { admitCall } from './admit-call.ts'
import { assertCallerThere } from './assert-caller-there.ts'
import { assertWait } from './assert-wait.ts'
import { reachOf } from './call-reach.ts'
import { chargeForUsage, type UsageCharge } from './charge-for-usage.ts'
import type { CallOutcome, CountedCalls, ModelCallSpec, ModelGrant, ServedAs } from './governor.ts'
import { holdAfter, holdForFirstCall } from './hold-for-closing.ts'
import { leftBesides } from './left-besides.ts'
import { MODEL_CALL_SPEC } from './model-call-spec.ts'
import { noteUnpriced } from './note-unpriced.ts'
import { priceForCall } from './price-for-call.ts'
import { type GrantedRoom, type RoomRequest, reserveRoom } from './reserve-room.ts'
import { type RunEnd, runWithSignal } from './run-with-signal.ts'
import { type ScopeRuntime, subjectOf } from './scope-runtime.ts'
import { servedPrice } from './served-price.ts'
import { releaseRoom, settleRoom } from './settle-room.ts'
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
  return runGranted(runtime, { spec, price, request, room }, run)
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
    return await runGranted(runtime, { spec, price, request, room }, run)
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

function requestFor(runtime: ScopeRuntime, spec: ModelCallSpec, price: ModelPrice | null): RoomRequest {
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

/** A call that was let in, and all that its accounts need. */
interface Admitted {
  readonly spec: ModelCallSpec
  readonly price: ModelPrice | null
  readonly request: RoomRequest
  readonly room: GrantedRoom
}

/** What is known of a call while it runs. */
interface Progress {
  hasFirstByte: boolean
  reported: Partial<Usage> | null
  counted: CountedCalls
  served: ServedAs
}

async function runGranted<Value>(
  runtime: ScopeRuntime,
  admitted: Admitted,
  run: (grant: ModelGrant) => Promise<Value>,
): Promise<CallOutcome<Value>> {
  const { spec, request, room } = admitted
  if (spec.signal?.aborted === true) {
    await accountUnanswered(runtime, admitted, 'unsent')
    assertCallerThere(spec.signal)
  }
  const isLast = request.isClosing === true || spec.runsOn === true
  const progress: Progress = { hasFirstByte: false, reported: null, counted: {}, served: {} }
  const grant = grantFor(runtime, spec, room, progress)
  const end = await runWithSignal(runtime, { isClosing: isLast }, (signal) => run({ ...grant, signal }))
  await account(runtime, admitted, end, progress)
  if (end.kind !== 'done') return stoppedOutcome(runtime, end, false)
  const clampedTo = room.units < spec.maxOutputTokens ? room.units : null
  const usage = usageOf(end, progress)
  if (clampedTo !== null && (usage?.outputTokens ?? 0) >= clampedTo) tellClamped(runtime, admitted)
  return { granted: true, value: end.value, breach: null, clampedTo }
}

/** Charges the call exactly once, or gives its room back where nothing was sent. */
async function account(
  runtime: ScopeRuntime,
  admitted: Admitted,
  end: RunEnd<unknown>,
  progress: Progress,
): Promise<void> {
  if (end.kind === 'not-run') return accountUnanswered(runtime, admitted, 'unsent')
  const { spec, price, request, room } = admitted
  const usage = usageOf(end, progress)
  const isUnanswered = end.kind === 'failed' && usage === null && !progress.hasFirstByte
  const reach = isUnanswered ? reachOf(end.error) : 'unknown'
  if (reach !== 'unknown') return accountUnanswered(runtime, admitted, reach)
  const { counted } = progress
  const searches = searchesOf(end, spec, counted)
  const call = { spec, price, units: room.units, searches }
  const asked = chargeForUsage(usage, call)
  const served = servedPrice(runtime, spec, price, progress.served)
  const other =
    served === null || served.price === null ? asked : chargeForUsage(usage, { ...call, price: served.price })
  const isDearer = costIn(other) > costIn(asked)
  const { amounts, anomaly } = isDearer ? other : asked
  const charged = counted.toolCalls === undefined ? amounts : { ...amounts, toolCalls: counted.toolCalls }
  await settleRoom(runtime, room.id, charged, request.call, holdAfter(runtime, spec, price, usage))
  if (anomaly !== null) tellAnomaly(runtime, admitted, anomaly, room.amounts.tokens ?? 0)
  if (served === null || (!isDearer && served.price !== null)) return
  // What nobody can know is told once, and not with each call.
  if (served.price !== null || isNewNotice(runtime, served.notice)) {
    tellAnomaly(runtime, admitted, { field: 'cost', value: served.notice }, costIn(other))
  }
}

function costIn({ amounts }: UsageCharge): number {
  const cost = amounts?.cost
  return isAmount(cost) ? cost : 0
}

// Names of models come from outside: so many notices a scope keeps, and no more.
const MOST_NOTICES = 50
const NOTICED = new WeakMap<ScopeRuntime, Set<string>>()

function isNewNotice(runtime: ScopeRuntime, notice: string): boolean {
  const noticed = NOTICED.get(runtime) ?? new Set()
  NOTICED.set(runtime, noticed)
  if (noticed.has(notice) || noticed.size >= MOST_NOTICES) return false
  noticed.add(notice)
  return true
}

function tellAnomaly(
  runtime: ScopeRuntime,
  { request, room }: Admitted,
  { field, value }: NonNullable<UsageCharge['anomaly']>,
  charged: number,
): void {
  const { call, name } = request.call
  const told = { reservation: room.id, call, call_name: name, meter: field, value, charged }
  runtime.context.hub.emit({ ...headerFor(runtime, 'usage_anomaly'), ...told })
}

/** One that the provider refused was a request on the wire, and cost nothing else. A closing call may be made again. */
async function accountUnanswered(
  runtime: ScopeRuntime,
  { request, room }: Admitted,
  reach: 'unsent' | 'refused',
): Promise<void> {
  const { call, isClosing = false } = request
  if (isClosing) runtime.hasWrappedUp = false
  const hold = isClosing && runtime.holdAsk !== null ? runtime.holdAsk : undefined
  if (reach === 'unsent') return releaseRoom(runtime, room.id, hold)
  return settleRoom(runtime, room.id, refusedAmounts(room.amounts), call, hold)
}

function refusedAmounts(reserved: Amounts): Amounts {
  const nothing = Object.fromEntries(Object.keys(reserved).map((meter) => [meter, 0]))
  return { ...nothing, modelCalls: 1 }
}

function grantFor(
  runtime: ScopeRuntime,
  spec: ModelCallSpec,
  room: GrantedRoom,
  progress: Progress,
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

/** The usage of the answer, or what was reported on the way. */
function usageOf(end: RunEnd<unknown>, progress: Progress): Partial<Usage> | null {
  return saidBy(end).usage ?? progress.reported
}

/** How many searches were run: what was counted, what the answer says, or the most that it may where that is no count. */
function searchesOf(end: RunEnd<unknown>, spec: ModelCallSpec, counted: CountedCalls): Required<FeeCounts> {
  const said = saidBy(end)
  const count = (kind: keyof FeeCounts): number => {
    const told = counted[kind] ?? said[kind]
    return isAmount(told) ? told : (spec[kind] ?? 0)
  }
  return { webSearches: count('webSearches'), fileSearches: count('fileSearches') }
}

interface Said {
  readonly usage?: Partial<Usage> | null
  readonly webSearches?: unknown
  readonly fileSearches?: unknown
}

/** What an answer says of itself. One that cannot be read says nothing: it was sent, and is charged. */
function saidBy(end: RunEnd<unknown>): Said {
  if (end.kind !== 'done') return {}
  try {
    const { usage = null, webSearches, fileSearches } = (end.value ?? {}) as Said
    return { usage, webSearches, fileSearches }
  } catch {
    return {}
  }
}

function tellClamped(runtime: ScopeRuntime, { spec, request, room }: Admitted): void {
  runtime.context.hub.emit({
    ...headerFor(runtime, 'call_clamped'),
    reservation: room.id,
    call: request.call.call,
    call_name: request.call.name,
    asked_output_tokens: spec.maxOutputTokens,
    granted_output_tokens: room.units,
  })
}
