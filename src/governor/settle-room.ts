import type { ReportedAmounts, SettleOutcome } from '../core/index.ts'
import { pathIds, type ScopeRuntime } from './scope-runtime.ts'
import { headerFor, tellCrossings } from './tell.ts'

type Settled = Extract<SettleOutcome, { overrun: unknown }>

/** Charges what was used, tells what that passed, and wakes those who wait for what is left over. */
export async function settleRoom(
  runtime: ScopeRuntime,
  reservationId: string,
  actual: ReportedAmounts | null,
): Promise<void> {
  const { store, clock, line } = runtime.context
  const outcome = await store.settle({ reservationId, actual, atMs: clock.wallMs() })
  if (outcome.kind === 'settled' || outcome.kind === 'corrected') {
    countSettled(runtime, outcome)
    tellSettled(runtime, reservationId, outcome)
  }
  line.wake(pathIds(runtime))
}

function countSettled(runtime: ScopeRuntime, { charged }: Settled): void {
  for (const scope of runtime.rootToSelf) {
    scope.turns += charged.toolCalls ?? 0
    scope.costNanoUsd += charged.cost ?? 0
  }
}

function tellSettled(runtime: ScopeRuntime, reservation: string, outcome: Settled): void {
  const { hub } = runtime.context
  const call = { reservation, call: 'other', call_name: null } as const
  const { charged, overrun, anomalies, crossings } = outcome
  hub.emit({ ...headerFor(runtime, 'call_settled'), ...call, charged, overrun, duration_ms: 0 })
  for (const { meter, value, charged: instead } of anomalies) {
    hub.emit({ ...headerFor(runtime, 'usage_anomaly'), ...call, meter, value: String(value), charged: instead })
  }
  tellCrossings(runtime, crossings)
}
