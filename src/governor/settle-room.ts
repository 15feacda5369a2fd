import { type HoldAsk, type ReportedAmounts, type SettleOutcome, showValue } from '../core/index.ts'
import { activeMsOf, pathIds, type ScopeRuntime } from './scope-runtime.ts'
import { headerFor, tellCrossings } from './tell.ts'

type Settled = Pick<Extract<SettleOutcome, { overrun: unknown }>, 'charged' | 'overrun' | 'anomalies' | 'crossings'>

/** Which call a reservation is for, as far as records say. */
export interface CallInfo {
  readonly call: 'model' | 'tool' | 'other'
  readonly name: string | null
  /** When it began, on the monotonic clock. */
  readonly startedAtMs: number
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
  hold?: HoldAsk,
): Promise<void> {
  const { store, clock, debts, line } = runtime.context
  const request = { reservationId, actual, ...activeMsOf(runtime), atMs: clock.wallMs() }
  let wasSent = false
  await debts.attempt(async () => {
    const isRepeated = wasSent
    wasSent = true
    const outcome = await store.settle(hold === undefined ? request : { ...request, hold })
    try {
      const settled = settledBy(outcome, isRepeated)
      if (settled !== null) {
        countSettled(runtime, settled)
        tellSettled(runtime, reservationId, settled, info)
      }
    } finally {
      // The room is free, whatever becomes of the telling.
      line.wake(pathIds(runtime))
    }
  }, reservationId)
}

/** Gives the room back, and wakes those who wait for it. */
export async function releaseRoom(runtime: ScopeRuntime, reservationId: string, hold?: HoldAsk): Promise<void> {
  const { store, clock, debts, line } = runtime.context
  const request = { reservationId, atMs: clock.wallMs() }
  await debts.attempt(async () => {
    await store.release(hold === undefined ? request : { ...request, hold })
    line.wake(pathIds(runtime))
  }, reservationId)
}

/** What was charged, where that is news: also where it was sent before, and only the answer was lost. */
function settledBy(outcome: SettleOutcome, isRepeated: boolean): Settled | null {
  if (outcome.kind === 'settled' || outcome.kind === 'corrected') return outcome
  if (outcome.kind !== 'duplicate' || !isRepeated) return null
  return { charged: outcome.charged, crossings: outcome.crossings, overrun: {}, anomalies: [] }
}

function countSettled(runtime: ScopeRuntime, { charged }: Settled): void {
  for (const scope of runtime.rootToSelf) {
    scope.turns += charged.toolCalls ?? 0
    scope.costNanoUsd += charged.cost ?? 0
  }
}

function tellSettled(runtime: ScopeRuntime, reservation: string, outcome: Settled, info: CallInfo): void {
  const { hub, clock } = runtime.context
  const call = { reservation, call: info.call, call_name: info.name } as const
  const { charged, overrun, anomalies, crossings } = outcome
  hub.emitOf(runtime.id, () => {
    const durationMs = Math.floor(clock.monotonicMs() - info.startedAtMs)
    return { ...headerFor(runtime, 'call_settled'), ...call, charged, overrun, duration_ms: durationMs }
  })
  for (const { meter, value, charged: instead } of anomalies) {
    hub.emit({ ...headerFor(runtime, 'usage_anomaly'), ...call, meter, value: showValue(value), charged: instead })
  }
  tellCrossings(runtime, crossings)
}
