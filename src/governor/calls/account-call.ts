import { type CallCosts, type CallEnding, type CallResult, isAmount } from '../../core/index.ts'
import { describePrice, type ModelPrice, type Usage } from '../../pricing/index.ts'
import type { CallReport, ModelCallSpec } from '../call.ts'
import { headerFor } from '../events/emit.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'
import type { AdmittedCall, CallProgress } from './call-record.ts'
import { reachOf } from './ends/call-reach.ts'
import { chargeForUsage, type UsageCharge } from './ends/charge-for-usage.ts'
import { endingOf } from './ends/ending-of.ts'
import { noteCut, noteRefused } from './ends/provider-streaks.ts'
import type { RanToItsEnd, RunEnd } from './ends/run-with-signal.ts'
import { servedPrice } from './ends/served-price.ts'
import { refuseRoom, releaseRoom, type SettleOptions, settleRoom } from './settle-room.ts'
import { holdAfter } from './wrap-up/hold-for-closing.ts'

/** Charges the call exactly once, or releases its reservation if it was not sent or the provider refused it. */
export async function accountCall(call: AdmittedCall, end: RunEnd<unknown>, report: CallReport): Promise<void> {
  const { runtime, spec, isTalk } = call
  const unanswered = end.kind === 'done' ? null : unansweredBy(end, call)
  if (unanswered !== null) return accountUnanswered(call, unanswered)
  const hold = isTalk ? holdAfter(call, report.usage ?? null) : undefined
  await settleAnswered(call, end, report, { hold, mayBeSettled: true })
  if (end.kind === 'done') {
    // An answer ends any streak of provider failures.
    runtime.provider.refusedInRow = 0
    runtime.provider.leftOpenInRow = 0
  } else if (end.kind === 'failed' && !end.wasStopped && spec.signal?.aborted !== true)
    await noteCut(runtime, end.error)
}

/**
 * Charges a call that was sent under a reservation of another process. If it was not sent, or the provider refused it,
 * the reservation is left to that process, which knows whether it will retry.
 */
export async function accountCarried(call: AdmittedCall, end: RunEnd<unknown>): Promise<void> {
  if (unansweredBy(end, call) !== null) return
  await settleAnswered(call, end, reportOf(end, call.progress), { isCarried: true })
}

/** Corrects the assumed charge of an abandoned call once its result is known. Never throws. */
export async function accountLate(call: AdmittedCall, late: Promise<RanToItsEnd<unknown>>): Promise<void> {
  const { runtime, room, progress, charged } = call
  try {
    const end = await late
    if (unansweredBy(end, call) === null) await settleAnswered(call, end, reportOf(end, progress))
    else await releaseRoom(runtime, room.id, { counted: charged })
  } catch {
    // The ledger may be closed by now. The assumed charge stays, for a person to correct.
  }
}

/** Why there is nothing to charge; `null` where something may have been generated. */
function unansweredBy(end: RunEnd<unknown>, { progress }: AdmittedCall): Unanswered | null {
  if (end.kind === 'not-run') return { reach: 'unsent' }
  if (end.kind !== 'failed' || progress.hasFirstByte || (progress.reported.usage ?? null) !== null) return null
  const reach = reachOf(end.error)
  return reach === 'unknown' ? null : { reach, error: end.error }
}

async function settleAnswered(
  record: AdmittedCall,
  end: RunEnd<unknown>,
  report: CallReport,
  options: Pick<SettleOptions, 'hold' | 'isCarried' | 'mayBeSettled'> = {},
): Promise<void> {
  const { runtime, spec, priced, ask, room } = record
  const { price } = priced
  const isCut = end.kind !== 'done' || report.isCut === true
  const { usage: known = null, toolCalls, webSearches, fileSearches, servedBy } = report
  // An invalid count is charged as the maximum.
  const searches = {
    webSearches: isAmount(webSearches) ? webSearches : priced.webSearches,
    fileSearches: isAmount(fileSearches) ? fileSearches : priced.fileSearches,
  }
  const usage = isCut ? usageOfCut(known, spec) : known
  const call = { priced, price, units: room.units, searches }
  const asked = chargeForUsage(usage, call)
  const served = servedBy ? servedPrice(runtime, spec, price, servedBy) : null
  const other =
    served === null || served.price === null ? asked : chargeForUsage(usage, { ...call, price: served.price })
  const isDearer = served !== null && costIn(other) > costIn(asked)
  const { amounts, anomaly, costs } = isDearer ? other : asked
  const charged = toolCalls === undefined ? amounts : { ...amounts, toolCalls }
  const assumed = isCut && (anomaly !== null || !isWhole(usage))
  const result = resultOf(endingOf(end, isCut), known, isDearer ? served.price : price, costs)
  await settleRoom(runtime, room.id, charged, ask.call, { ...options, assumed, counted: record.charged, result })
  const strange = anomaly ?? (known === null && end.kind === 'done' ? missingUsage(end.value) : null)
  if (strange !== null) emitAnomaly(record, strange, room.amounts.tokens ?? 0)
  if (served === null || (!isDearer && served.price !== null)) return
  // A model without a price is reported once, not with each call.
  if (served.price !== null || isNewNotice(runtime, served.notice)) {
    emitAnomaly(record, { field: 'cost', value: served.notice }, costIn(other))
  }
}

/** What the ledger keeps of an answer. Implausible usage is left out. */
function resultOf(
  ending: CallEnding,
  usage: Partial<Usage> | null,
  price: ModelPrice | null,
  costs: CallCosts | undefined,
): CallResult {
  const kept = copyOf(usage)
  return {
    ending,
    ...(kept === null ? {} : { usage: kept }),
    ...(price === null ? {} : { price: describePrice(price) }),
    ...(costs === undefined ? {} : { costs }),
  }
}

/** Usage comes from outside: a field may throw when it is read. */
function copyOf(usage: Partial<Usage> | null): Partial<Usage> | null {
  try {
    return usage === null ? null : { ...usage }
  } catch {
    return null
  }
}

/** With provider-run tools a prompt is read repeatedly: the first count is not the total. */
function usageOfCut(usage: Partial<Usage> | null, spec: ModelCallSpec): Partial<Usage> | null {
  const readsAgain = (spec.webSearches ?? 0) + (spec.fileSearches ?? 0) > 0
  return readsAgain && !isWhole(usage) ? null : usage
}

/** Whether a usage is complete. */
function isWhole(usage: Partial<Usage> | null): boolean {
  return usage?.inputTokens !== undefined && usage.outputTokens !== undefined
}

function costIn({ amounts }: UsageCharge): number {
  const cost = amounts?.cost
  return isAmount(cost) ? cost : 0
}

// Model names come from outside, so the notices of a scope are bounded.
const MOST_NOTICES = 50
const NOTICED = new WeakMap<ScopeRuntime, Set<string>>()

function isNewNotice(runtime: ScopeRuntime, notice: string): boolean {
  const noticed = NOTICED.get(runtime) ?? new Set()
  NOTICED.set(runtime, noticed)
  if (noticed.has(notice) || noticed.size >= MOST_NOTICES) return false
  noticed.add(notice)
  return true
}

function emitAnomaly(
  { runtime, ask, room }: AdmittedCall,
  { field, value }: NonNullable<UsageCharge['anomaly']>,
  charged: number,
): void {
  const { call, name } = ask.call
  const fields = { reservation: room.id, call, call_name: name, meter: field, value, charged }
  runtime.context.hub.emit({ ...headerFor(runtime, 'usage_anomaly'), ...fields })
}

interface Unanswered {
  readonly reach: 'unsent' | 'refused'
  readonly error?: unknown
}

/** Releases the reservation. A closing call may be made again. */
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

/** Unknown usage is `null`: an answer without the field has a typo, or is not a `ModelAnswer`. */
function missingUsage(answer: unknown): UsageCharge['anomaly'] {
  if (reportIn(answer).usage !== undefined) return null
  const fields = typeof answer === 'object' && answer !== null ? Object.keys(answer).join(', ') : typeof answer
  return { field: 'usage', value: `The answer has no usage: ${fields}` }
}

/** What is known of a call: what its answer says, completed by what was reported during the call. */
export function reportOf(end: RunEnd<unknown>, { reported }: CallProgress): CallReport {
  if (end.kind !== 'done') return reported
  const answered = reportIn(end.value)
  return {
    usage: answered.usage ?? reported.usage ?? null,
    toolCalls: answered.toolCalls ?? reported.toolCalls,
    webSearches: answered.webSearches ?? reported.webSearches,
    fileSearches: answered.fileSearches ?? reported.fileSearches,
    servedBy: answered.servedBy ?? reported.servedBy,
    isCut: answered.isCut ?? reported.isCut,
  }
}

/** An unreadable answer reports nothing, but it was sent and is charged. */
function reportIn(answer: unknown): { readonly [Field in keyof CallReport]: CallReport[Field] | undefined } {
  try {
    const { usage, toolCalls, webSearches, fileSearches, servedBy, isCut } = (answer ?? {}) as CallReport
    return { usage, toolCalls, webSearches, fileSearches, servedBy, isCut }
  } catch {
    return {}
  }
}
