import {
  type Amounts,
  type Breaches,
  limitEventFromBreach,
  type ReserveOutcome,
  type ReserveRequest,
} from '../core/index.ts'
import { countWait } from './activity.ts'
import type { Refusal, Reservation, ReserveOptions } from './governor.ts'
import { ScopeClosedError } from './scope-closed-error.ts'
import { pathIds, type ScopeRuntime, subjectOf } from './scope-runtime.ts'
import { settleRoom } from './settle-room.ts'
import { ownerOf, tellExceeded } from './tell.ts'
import { waitInLine } from './wait-in-line.ts'

type Breached = Extract<ReserveOutcome, { kind: 'breached' }>

/**
 * Reserves on the whole path. If it merely does not fit now, it waits its turn, as long as it may; then it takes what
 * there is, or is refused.
 */
export async function reserveRoom(
  runtime: ScopeRuntime,
  amounts: Amounts,
  options: ReserveOptions,
): Promise<Reservation | Refusal> {
  const { context } = runtime
  const { messages, waitMs = context.waitMs } = options
  const reservationId = context.createId()
  const attempt = async (patient: boolean): Promise<ReserveOutcome> => {
    const halted = haltOnPath(runtime)
    if (halted !== null) return { kind: 'breached', mayFitLater: false, breaches: halted, newlyExceeded: [] }
    const request: ReserveRequest = {
      reservationId,
      scopeId: runtime.id,
      amounts,
      patient,
      holder: context.holder,
      atMs: context.clock.wallMs(),
    }
    return context.store.reserve(messages === undefined ? request : { ...request, messages })
  }

  const startedAtMs = context.clock.monotonicMs()
  let outcome = await attempt(waitMs > 0)
  if (outcome.kind === 'breached' && outcome.mayFitLater && waitMs > 0) {
    outcome = await waitForRoom(runtime, outcome, waitMs, attempt)
  }
  if (outcome.kind === 'closed') throw new ScopeClosedError(outcome.scopeId)
  if (outcome.kind === 'breached') {
    tellDenied(runtime, outcome, context.clock.monotonicMs() - startedAtMs)
    return { granted: false, breach: outcome.breaches[0], breaches: outcome.breaches }
  }
  return {
    granted: true,
    id: reservationId,
    amounts: outcome.amounts,
    breach: null,
    settle: (actual = null) => settleRoom(runtime, reservationId, actual),
    release: () => releaseRoom(runtime, reservationId),
  }
}

/** Waits its turn. The clocks of the scope stand while that is all it does. */
async function waitForRoom(
  runtime: ScopeRuntime,
  first: Breached,
  waitMs: number,
  attempt: (patient: boolean) => Promise<ReserveOutcome>,
): Promise<ReserveOutcome> {
  const { context, activity, controller } = runtime
  const [breach] = first.breaches
  const subject = subjectOf(ownerOf(runtime, breach.scope))
  const moment = { event: 'reservation_waiting', atMs: context.clock.wallMs() } as const
  context.hub.emit({ ...limitEventFromBreach(moment, subject, breach), wait_ms: waitMs })
  const shortOf = (outcome: ReserveOutcome): Breaches | null =>
    outcome.kind === 'breached' && outcome.mayFitLater ? outcome.breaches : null
  countWait(activity, 1)
  try {
    return await waitInLine({ context, signal: controller.signal, waitMs, attempt, shortOf }, first.breaches)
  } finally {
    countWait(activity, -1)
  }
}

/** What ended the scope, or one above it, for everything new. */
function haltOnPath(runtime: ScopeRuntime): Breaches | null {
  return runtime.rootToSelf.find(({ halt }) => halt !== null)?.halt ?? null
}

function tellDenied(runtime: ScopeRuntime, { breaches, newlyExceeded }: Breached, waitedMs: number): void {
  const { hub, clock } = runtime.context
  tellExceeded(runtime, newlyExceeded)
  const [breach] = breaches
  const subject = subjectOf(ownerOf(runtime, breach.scope))
  const moment = { event: 'reservation_denied', atMs: clock.wallMs() } as const
  hub.emit({ ...limitEventFromBreach(moment, subject, breach), waited_ms: Math.floor(waitedMs) })
}

async function releaseRoom(runtime: ScopeRuntime, reservationId: string): Promise<void> {
  const { store, clock, line } = runtime.context
  await store.release({ reservationId, atMs: clock.wallMs() })
  line.wake(pathIds(runtime))
}
