import { isAmount } from '../../core/index.ts'
import type { FeeCounts, Usage } from '../../pricing/index.ts'
import type { CountedCalls, ModelAnswer, ModelCallSpec } from '../call.ts'
import { headerFor } from '../events/tell.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'
import type { AdmittedCall, CallProgress } from './call-record.ts'
import { holdAfter } from './closing/hold-for-closing.ts'
import { reachOf } from './ends/call-reach.ts'
import { chargeForUsage, type UsageCharge } from './ends/charge-for-usage.ts'
import { noteAnswered, noteCut, noteRefused } from './ends/provider-streaks.ts'
import type { RanToItsEnd, RunEnd } from './ends/run-with-signal.ts'
import { servedPrice } from './ends/served-price.ts'
import { refuseRoom, releaseRoom, type SettleOptions, settleRoom } from './settle-room.ts'

/** Charges the call exactly once, or gives its room back where nothing was sent or the provider refused it. */
export async function accountCall(call: AdmittedCall, end: RunEnd<unknown>): Promise<void> {
  const { runtime, spec, isTalk, progress } = call
  const unanswered = unansweredBy(end, progress)
  if (unanswered !== null) return accountUnanswered(call, unanswered)
  const hold = isTalk ? holdAfter(call, usageOf(end, progress)) : undefined
  await settleAnswered(call, end, { hold, mayBeSettled: true })
  if (end.kind === 'done') noteAnswered(runtime)
  else if (end.kind === 'failed' && !end.wasStopped && spec.signal?.aborted !== true) await noteCut(runtime, end.error)
}

/**
 * Charges a call that was sent under a reservation of another process. Where nothing was sent, or the provider refused
 * it, the room is left to that process, which knows whether it tries again.
 */
export async function accountCarried(call: AdmittedCall, end: RunEnd<unknown>): Promise<void> {
  if (unansweredBy(end, call.progress) !== null) return
  await settleAnswered(call, end, { isCarried: true })
}

/** What a call that was given up comes to after all corrects what was assumed of it. Never throws. */
export async function accountLate(call: AdmittedCall, late: Promise<RanToItsEnd<unknown>>): Promise<void> {
  const { runtime, room, progress, charged } = call
  try {
    const end = await late
    if (unansweredBy(end, progress) === null) await settleAnswered(call, end)
    else await releaseRoom(runtime, room.id, { counted: charged })
  } catch {
    // The ledger may be closed by now. What is assumed stays, for a person to correct.
  }
}

/** Why there is nothing to charge; `null` where something may have been generated. */
function unansweredBy(end: RunEnd<unknown>, progress: CallProgress): Unanswered | null {
  if (end.kind === 'not-run') return { reach: 'unsent' }
  if (end.kind !== 'failed' || progress.hasFirstByte || usageOf(end, progress) !== null) return null
  const reach = reachOf(end.error)
  return reach === 'unknown' ? null : { reach, error: end.error }
}

async function settleAnswered(
  record: AdmittedCall,
  end: RunEnd<unknown>,
  options: Pick<SettleOptions, 'hold' | 'isCarried' | 'mayBeSettled'> = {},
): Promise<void> {
  const { runtime, spec, price, ask, room, progress } = record
  const isCut = end.kind !== 'done' || saidBy(end).isCut === true
  const usage = isCut ? usageOfCut(usageOf(end, progress), spec) : usageOf(end, progress)
  const searches = searchesOf(end, spec, progress.counted)
  const call = { spec, price, units: room.units, searches }
  const asked = chargeForUsage(usage, call)
  const served = servedPrice(runtime, spec, price, progress.served)
  const other =
    served === null || served.price === null ? asked : chargeForUsage(usage, { ...call, price: served.price })
  const isDearer = costIn(other) > costIn(asked)
  const { amounts, anomaly } = isDearer ? other : asked
  const { toolCalls } = progress.counted
  const charged = toolCalls === undefined ? amounts : { ...amounts, toolCalls }
  const assumed = isCut && (anomaly !== null || !isWhole(usage))
  await settleRoom(runtime, room.id, charged, ask.call, { ...options, assumed, counted: record.charged })
  const strange = anomaly ?? (progress.reported === null ? unsaidUsage(end) : null)
  if (strange !== null) tellAnomaly(record, strange, room.amounts.tokens ?? 0)
  if (served === null || (!isDearer && served.price !== null)) return
  // What nobody can know is told once, and not with each call.
  if (served.price !== null || isNewNotice(runtime, served.notice)) {
    tellAnomaly(record, { field: 'cost', value: served.notice }, costIn(other))
  }
}

/** With tools that the provider runs, a prompt is read again and again: what was said of it first is not all of it. */
function usageOfCut(usage: Partial<Usage> | null, spec: ModelCallSpec): Partial<Usage> | null {
  const readsAgain = (spec.webSearches ?? 0) + (spec.fileSearches ?? 0) > 0
  return readsAgain && !isWhole(usage) ? null : usage
}

/** Whether a usage says all that there is to say. */
function isWhole(usage: Partial<Usage> | null): boolean {
  return usage?.inputTokens !== undefined && usage.outputTokens !== undefined
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
  { runtime, ask, room }: AdmittedCall,
  { field, value }: NonNullable<UsageCharge['anomaly']>,
  charged: number,
): void {
  const { call, name } = ask.call
  const told = { reservation: room.id, call, call_name: name, meter: field, value, charged }
  runtime.context.hub.emit({ ...headerFor(runtime, 'usage_anomaly'), ...told })
}

interface Unanswered {
  readonly reach: 'unsent' | 'refused'
  readonly error?: unknown
}

/** Gives its room back. A closing call may be made again. */
export async function accountUnanswered(
  { runtime, ask, room, isTalk }: AdmittedCall,
  { reach, error }: Unanswered,
): Promise<void> {
  const { call, isClosing = false } = ask
  const { closing } = runtime
  if (isClosing) closing.hasWrappedUp = false
  const hold = (isClosing || isTalk) && closing.holdAsk !== null ? closing.holdAsk : undefined
  if (reach === 'unsent') return releaseRoom(runtime, room.id, { hold })
  await refuseRoom(runtime, room.id, call, hold)
  await noteRefused(runtime, error)
}

/** The usage of the answer, or what was reported on the way. */
export function usageOf(end: RunEnd<unknown>, progress: CallProgress): Partial<Usage> | null {
  return saidBy(end).usage ?? progress.reported
}

/** What an answer has for the caller. One that cannot be read was charged all the same. */
export function valueIn<Value>(answer: ModelAnswer<Value>): Value {
  return (answer as ModelAnswer<Value> | null | undefined)?.value as Value
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

/** Usage that is not known is `null`: an answer without the field was misspelt, or is not the record that it should be. */
function unsaidUsage(end: RunEnd<unknown>): UsageCharge['anomaly'] {
  if (end.kind !== 'done' || saidBy(end).usage !== undefined) return null
  const { value } = end
  const fields = typeof value === 'object' && value !== null ? Object.keys(value).join(', ') : typeof value
  return { field: 'usage', value: `The answer has no usage: ${fields}` }
}

interface Said {
  readonly usage?: Partial<Usage> | null | undefined
  readonly webSearches?: unknown
  readonly fileSearches?: unknown
  /** It broke off. */
  readonly isCut?: unknown
}

/** What an answer says of itself. One that cannot be read says nothing: it was sent, and is charged. */
function saidBy(end: RunEnd<unknown>): Said {
  if (end.kind !== 'done') return {}
  try {
    const { usage, webSearches, fileSearches, isCut } = (end.value ?? {}) as Said
    return { usage, webSearches, fileSearches, isCut }
  } catch {
    return {}
  }
}
