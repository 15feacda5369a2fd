import {
  type Amounts,
  type CounterMeter,
  type HoldAsk,
  type ReportedAmounts,
  type SettleOutcome,
  showValue,
} from '../../core/index.ts'
import { headerFor, ownerOf, tellCrossings, tellsOwnDeeds } from '../events/tell.ts'
import { activeMsOf, pathIds, type ScopeRuntime } from '../scope/scope-runtime.ts'

type Settled = Pick<Extract<SettleOutcome, { overrun: unknown }>, 'charged' | 'overrun' | 'anomalies' | 'crossings'>

/** Which call a reservation is for, as far as records say. */
export interface CallInfo {
  readonly call: 'model' | 'tool' | 'other'
  readonly name: string | null
  /** When it began, on the monotonic clock. */
  readonly startedAtMs: number
}

/** How a settlement is made, beside what it charges. */
export interface SettleOptions {
  readonly hold?: HoldAsk | undefined
  /** What the call used isn't known for sure: the charge can be corrected. */
  readonly assumed?: boolean
  /** What of this call was counted before, which this settlement corrects. It is kept up to date here. */
  readonly counted?: CountedCharge
  /** Another process made the reservation, and tells what is its to tell when it settles it, too. */
  readonly isCarried?: boolean
  /** A gateway may have settled it already from the same answer: what it charged is told here. */
  readonly mayBeSettled?: boolean
}

/** What a call was charged so far, as far as this process has counted it. */
export interface CountedCharge {
  amounts: Amounts
}

/**
 * Charges what was used, tells what that passed, and wakes those who wait for what is left over. Where the store cannot
 * be reached, it is told later: what the call gave is not lost for it, and its room stays taken until then.
 */
export async function settleRoom(
  runtime: ScopeRuntime,
  reservationId: string,
  actual: ReportedAmounts | null,
  info: CallInfo,
  options: SettleOptions = {},
): Promise<void> {
  const { hold, assumed = false, counted = { amounts: {} }, isCarried = false, mayBeSettled = false } = options
  const { store, clock, debts, line } = runtime.context
  const request = {
    reservationId,
    actual,
    ...(assumed ? { assumed } : {}),
    ...(hold === undefined ? {} : { hold }),
    ...activeMsOf(runtime),
    atMs: clock.wallMs(),
  }
  let wasSent = false
  await debts.attempt(async () => {
    const isRepeated = wasSent
    wasSent = true
    const outcome = await store.settle(request)
    try {
      const settled = settledBy(outcome, isRepeated) ?? (mayBeSettled ? settledElsewhere(runtime, outcome) : null)
      if (settled !== null) {
        countSettled(runtime, settled.charged, counted)
        if (isCarried) tellCrossings(runtime, oursToTell(runtime, settled.crossings))
        else tellSettled(runtime, reservationId, settled, { ...info, assumed })
      }
      // A settlement that changes nothing sizes no hold.
      if (isDone(outcome) && hold !== undefined) {
        await store.hold({ scopeId: runtime.id, ask: hold, atMs: clock.wallMs() })
      }
    } finally {
      // The room is free, whatever becomes of the telling.
      line.wake(pathIds(runtime))
    }
  }, reservationId)
}

/** Gives the room back, and wakes those who wait for it. */
export async function releaseRoom(
  runtime: ScopeRuntime,
  reservationId: string,
  { hold, counted = { amounts: {} } }: Pick<SettleOptions, 'hold' | 'counted'> = {},
): Promise<void> {
  const { store, clock, debts, line } = runtime.context
  const request = { reservationId, atMs: clock.wallMs() }
  await debts.attempt(async () => {
    await store.release(hold === undefined ? request : { ...request, hold })
    countSettled(runtime, {}, counted)
    line.wake(pathIds(runtime))
  }, reservationId)
}

/** The provider refused the call: its room is given back, and that is told. */
export async function refuseRoom(
  runtime: ScopeRuntime,
  reservationId: string,
  info: CallInfo,
  hold?: HoldAsk,
): Promise<void> {
  await releaseRoom(runtime, reservationId, { hold })
  tellCharge(runtime, reservationId, { charged: {}, overrun: {} }, info, true)
}

/** What was charged, where that is news: also where it was sent before, and only the answer was lost. */
function settledBy(outcome: SettleOutcome, isRepeated: boolean): Settled | null {
  if (outcome.kind === 'settled' || outcome.kind === 'assumed' || outcome.kind === 'corrected') return outcome
  if (outcome.kind !== 'duplicate' || !isRepeated) return null
  return { charged: outcome.charged, crossings: outcome.crossings, overrun: {}, anomalies: [] }
}

/** What a gateway charged for the call before us. Of what that passed, we tell what happened to scopes that run here. */
function settledElsewhere(runtime: ScopeRuntime, outcome: SettleOutcome): Settled | null {
  if (!isDone(outcome)) return null
  const passed = outcome.kind === 'duplicate' ? outcome.crossings : []
  const crossings = passed.filter(({ scopeId }) => ownerOf(runtime, scopeId).life.isOwned)
  return { charged: outcome.charged, crossings, overrun: {}, anomalies: [] }
}

/** It was charged before, and that stands. */
function isDone(outcome: SettleOutcome): outcome is Extract<SettleOutcome, { kind: 'duplicate' | 'conflict' }> {
  return outcome.kind === 'duplicate' || outcome.kind === 'conflict'
}

function oursToTell(runtime: ScopeRuntime, crossings: Settled['crossings']): Settled['crossings'] {
  return crossings.filter(({ scopeId }) => tellsOwnDeeds(ownerOf(runtime, scopeId)))
}

function countSettled(runtime: ScopeRuntime, charged: Amounts, counted: CountedCharge): void {
  const { amounts: before } = counted
  counted.amounts = charged
  const meters = Object.keys({ ...before, ...charged }) as CounterMeter[]
  for (const scope of runtime.rootToSelf) {
    const { since } = scope.known
    for (const meter of meters) {
      since[meter] = (since[meter] ?? 0) + (charged[meter] ?? 0) - (before[meter] ?? 0)
    }
    scope.turns += (charged.toolCalls ?? 0) - (before.toolCalls ?? 0)
    scope.costNanoUsd += (charged.cost ?? 0) - (before.cost ?? 0)
  }
}

function tellSettled(
  runtime: ScopeRuntime,
  reservation: string,
  outcome: Settled,
  info: CallInfo & { readonly assumed: boolean },
): void {
  const { hub } = runtime.context
  const { charged, anomalies, crossings } = outcome
  const call = { reservation, call: info.call, call_name: info.name } as const
  if (info.assumed) hub.emitOf(runtime.id, () => ({ ...headerFor(runtime, 'reservation_assumed'), ...call, charged }))
  else tellCharge(runtime, reservation, outcome, info, false)
  for (const { meter, value, charged: instead } of anomalies) {
    hub.emit({ ...headerFor(runtime, 'usage_anomaly'), ...call, meter, value: showValue(value), charged: instead })
  }
  tellCrossings(runtime, crossings)
}

function tellCharge(
  runtime: ScopeRuntime,
  reservation: string,
  { charged, overrun }: Pick<Settled, 'charged' | 'overrun'>,
  { call, name, startedAtMs }: CallInfo,
  refused: boolean,
): void {
  const { hub, clock } = runtime.context
  hub.emitOf(runtime.id, () => {
    const durationMs = Math.floor(clock.monotonicMs() - startedAtMs)
    const about = { reservation, call, call_name: name, charged, overrun, refused, duration_ms: durationMs }
    return { ...headerFor(runtime, 'call_settled'), ...about }
  })
}
