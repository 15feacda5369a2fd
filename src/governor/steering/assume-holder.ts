import type { AssumeRequest } from '../../core/index.ts'
import { emitCrossings, headerFor } from '../events/emit.ts'
import { lookAtScope } from '../scope/find-scope.ts'
import type { GovernorContext } from '../scope/scope-runtime.ts'

/** Charges what a dead process left open in full, frees its slots and holds, and reports that. */
export async function assumeHolder(context: GovernorContext, dead: Omit<AssumeRequest, 'atMs'>): Promise<void> {
  const { clock, hub, line, store } = context
  const { reservations } = await store.assume({ ...dead, atMs: clock.wallMs() })
  for (const { reservationId, scopeId, charged, crossings } of reservations) {
    const runtime = await lookAtScope(context, scopeId)
    if (runtime === null) continue
    const call = { reservation: reservationId, call: 'other', call_name: null } as const
    hub.emit({ ...headerFor(runtime, 'reservation_assumed'), ...call, charged })
    emitCrossings(runtime, crossings)
  }
  line.wakeAll()
}
