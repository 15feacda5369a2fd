import { readCounters } from '../../core/amounts/amount-vector.ts'
import {
  type Amounts,
  type CallResult,
  type HoldAsk,
  type ReportedAmounts,
  type SettleOutcome,
  showValue,
} from '../../core/index.ts'
import { emitCrossings, headerFor, ownerOf, reportsOwnChanges } from '../events/emit.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'
import type { CallInfo } from './room-request.ts'

type Settled = Pick<Extract<SettleOutcome, { overrun: unknown }>, 'charged' | 'overrun' | 'anomalies' | 'crossings'>

/** How to settle, apart from the amounts. */
export interface SettleOptions {
  readonly hold?: HoldAsk | undefined
  /** The call's usage is uncertain: the charge can be corrected. */
  readonly assumed?: boolean
  /** What was counted for this call before, which this settlement corrects. Updated here. */
  readonly counted?: CountedCharge
  /** Another process made the reservation, and reports its own part when it settles it, too. */
  readonly isCarried?: boolean
  /** A gateway may have settled it already from the same answer: if so, report what it charged. */
  readonly mayBeSettled?: boolean
  /** How the call ended, for the records. */
  readonly result?: CallResult
}

/** What a call has been charged so far, as counted by this process. */
export interface CountedCharge {
  amounts: Amounts
}

/**
 * Charges what was used, reports the thresholds passed, and wakes callers waiting for the remainder. If the store
 * cannot be reached it is written later: the call keeps its result, and its reservation stays open until then.
 */
export async function settleRoom(
  runtime: ScopeRuntime,
  reservationId: string,
  actual: ReportedAmounts | null,
  info: CallInfo,
  options: SettleOptions = {},
): Promise<void> {
  const { hold, result, assumed = false, counted = { amounts: {} }, isCarried = false, mayBeSettled = false } = options
  const { context, life, clocks, pathIds } = runtime
  const { store, clock, pendingWrites, line } = context
  const request = {
    reservationId,
    actual,
    ...(assumed ? { assumed } : {}),
    ...(hold === undefined ? {} : { hold }),
    ...(result === undefined ? {} : { result }),
    ...(life.isOwned ? { activeMs: Math.floor(clocks.workedMs()) } : {}),
    atMs: clock.wallMs(),
  }
  let wasSent = false
  await pendingWrites.attempt(async () => {
    const isRepeated = wasSent
    wasSent = true
    const outcome = await store.settle(request)
    try {
      const isNews = outcome.kind === 'settled' || outcome.kind === 'assumed' || outcome.kind === 'corrected'
      const settled = isNews ? outcome : settledBefore(runtime, outcome, { isRepeated, mayBeSettled })
      if (settled !== null) {
        countSettled(runtime, settled.charged, counted)
        if (!isCarried) emitCharge(runtime, reservationId, settled, info, { assumed })
        if (settled.anomalies.length + settled.crossings.length > 0)
          emitSettled(runtime, request, settled, info, isCarried)
      }
      // A settlement that changes nothing does not resize the hold.
      if (!isNews && hold !== undefined && isDone(outcome)) {
        await store.hold({ scopeId: runtime.id, ask: hold, atMs: clock.wallMs() })
      }
    } finally {
      // The room is free, even if reporting fails.
      line.wake(pathIds)
    }
  }, reservationId)
}

/** Releases the reservation, and wakes callers waiting for the room. */
export async function releaseRoom(
  runtime: ScopeRuntime,
  reservationId: string,
  { hold, counted = { amounts: {} }, result = UNSENT }: Pick<SettleOptions, 'hold' | 'counted' | 'result'> = {},
): Promise<void> {
  const { store, clock, pendingWrites, line } = runtime.context
  const request = { reservationId, result, atMs: clock.wallMs() }
  await pendingWrites.attempt(async () => {
    await store.release(hold === undefined ? request : { ...request, hold })
    countSettled(runtime, {}, counted)
    line.wake(runtime.pathIds)
  }, reservationId)
}

const UNSENT: CallResult = { ending: 'unsent' }
const REFUSED: CallResult = { ending: 'refused' }

/** The provider refused the call: releases its reservation, and reports that. */
export async function refuseRoom(
  runtime: ScopeRuntime,
  reservationId: string,
  info: CallInfo,
  hold?: HoldAsk,
): Promise<void> {
  await releaseRoom(runtime, reservationId, { hold, result: REFUSED })
  emitCharge(runtime, reservationId, { charged: {}, overrun: {} }, info, { refused: true })
}

/**
 * What was charged before, if that is new here: our settlement arrived but its answer was lost, or a gateway charged
 * the call first. Of the thresholds passed, report those of scopes that run here.
 */
function settledBefore(
  runtime: ScopeRuntime,
  outcome: SettleOutcome,
  { isRepeated, mayBeSettled }: { readonly isRepeated: boolean; readonly mayBeSettled: boolean },
): Settled | null {
  if (!isDone(outcome)) return null
  const { charged } = outcome
  const passed = outcome.kind === 'duplicate' ? outcome.crossings : []
  if (isRepeated && outcome.kind === 'duplicate') return { charged, crossings: passed, overrun: {}, anomalies: [] }
  if (!mayBeSettled) return null
  const crossings = passed.filter(({ scopeId }) => ownerOf(runtime, scopeId).life.isOwned)
  return { charged, crossings, overrun: {}, anomalies: [] }
}

/** It was charged before, and that charge holds. */
function isDone(outcome: SettleOutcome): outcome is Extract<SettleOutcome, { kind: 'duplicate' | 'conflict' }> {
  return outcome.kind === 'duplicate' || outcome.kind === 'conflict'
}

function countSettled(runtime: ScopeRuntime, charged: Amounts, counted: CountedCharge): void {
  const now = readCounters(charged, 0)
  const before = readCounters(counted.amounts, 0)
  const turns = (charged.toolCalls ?? 0) - (counted.amounts.toolCalls ?? 0)
  const costNanoUsd = (charged.cost ?? 0) - (counted.amounts.cost ?? 0)
  counted.amounts = charged
  for (const scope of runtime.rootToSelf) {
    const { since } = scope.known
    for (let index = 0; index < since.length; index++) since[index]! += now[index]! - before[index]!
    scope.turns += turns
    scope.costNanoUsd += costNanoUsd
  }
}

/** Reports implausible usage, and the thresholds passed. */
function emitSettled(
  runtime: ScopeRuntime,
  { reservationId: reservation }: { readonly reservationId: string },
  { anomalies, crossings }: Settled,
  { call, name }: CallInfo,
  isCarried: boolean,
): void {
  if (isCarried) {
    emitCrossings(
      runtime,
      crossings.filter(({ scopeId }) => reportsOwnChanges(ownerOf(runtime, scopeId))),
    )
    return
  }
  const about = { reservation, call, call_name: name }
  for (const { meter, value, charged: instead } of anomalies) {
    const anomaly = { meter, value: showValue(value), charged: instead }
    runtime.context.hub.emit({ ...headerFor(runtime, 'usage_anomaly'), ...about, ...anomaly })
  }
  emitCrossings(runtime, crossings)
}

function emitCharge(
  runtime: ScopeRuntime,
  reservation: string,
  { charged, overrun }: Pick<Settled, 'charged' | 'overrun'>,
  { call, name, startedAtMs }: CallInfo,
  { assumed = false, refused = false }: { readonly assumed?: boolean; readonly refused?: boolean },
): void {
  const { hub, clock } = runtime.context
  hub.emitOf(runtime.id, () => {
    const about = { reservation, call, call_name: name, charged }
    if (assumed) return { ...headerFor(runtime, 'reservation_assumed'), ...about }
    const durationMs = Math.floor(clock.monotonicMs() - startedAtMs)
    return { ...headerFor(runtime, 'call_settled'), ...about, overrun, refused, duration_ms: durationMs }
  })
}
