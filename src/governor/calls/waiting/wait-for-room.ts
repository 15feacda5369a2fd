import {
  type Breaches,
  isCounterMeter,
  isElasticMeter,
  limitEventFromBreach,
  type Meter,
  type ReserveOutcome,
} from '../../../core/index.ts'
import { emitExceeded, ownerOf } from '../../events/emit.ts'
import { countWait } from '../../scope/clocks/activity.ts'
import { type ScopeRuntime, subjectOf } from '../../scope/scope-runtime.ts'
import type { RoomRequest } from '../room-request.ts'
import { type Wait, waitInLine } from './wait-in-line.ts'

type Breached = Extract<ReserveOutcome, { kind: 'breached' }>

/** Queues for room if that is worthwhile. The scope's clocks are stopped while it does nothing else. */
export async function waitForRoom(
  runtime: ScopeRuntime,
  room: RoomRequest,
  first: Breached,
  { since, attempt }: Pick<Wait<ReserveOutcome>, 'since' | 'attempt'>,
): Promise<ReserveOutcome> {
  const { context, activity, work, pathIds: path } = runtime
  const { waitMs, signal: asker } = room
  const untilMs = context.clock.wallMs() + Math.min(waitMs, LONGEST_WINDOW_WAIT_MS)
  if (!isWorthWaiting(first, untilMs)) return first
  emitExceeded(runtime, first.newlyExceeded)
  const signals = asker === undefined ? [work.signal] : [work.signal, asker]
  const [breach] = first.breaches
  const subject = subjectOf(ownerOf(runtime, breach.scope))
  const moment = { event: 'reservation_waiting', atMs: context.clock.wallMs() } as const
  context.hub.emit({ ...limitEventFromBreach(moment, subject, breach), wait_ms: waitMs })
  const wait = { waitMs, context, lane: 'call', scopes: path, path, signals, meters: metersOf(room), since } as const
  const shortOf = (outcome: ReserveOutcome): Breaches | null =>
    outcome.kind === 'breached' && isWorthWaiting(outcome, untilMs) ? outcome.breaches : null
  countWait(activity, 1)
  try {
    return await waitInLine({ ...wait, attempt, shortOf }, first.breaches)
  } finally {
    countWait(activity, -1)
  }
}

// A client can probably be kept waiting this long without a byte.
const LONGEST_WINDOW_WAIT_MS = 60_000

/** Whether calls in flight may free room, or a window opens soon. */
function isWorthWaiting({ mayFitLater, breaches }: Breached, untilMs: number): boolean {
  if (mayFitLater) return true
  return breaches.every(({ meter, resetsAt }) => resetsAt !== null && resetsAt <= untilMs && isElasticMeter(meter))
}

/** What those already waiting for the same room are short of; `null` if there are none. Later callers do not overtake them. */
export function aheadInLine(runtime: ScopeRuntime, room: RoomRequest): Breaches | null {
  return runtime.context.line.ahead({ lane: 'call', scopes: runtime.pathIds, meters: metersOf(room) })
}

function metersOf({ amounts, elastic }: RoomRequest): readonly Meter[] {
  const fixed = Object.entries(amounts).filter(([, amount]) => amount !== 0)
  const stretched = elastic?.rates.map(({ meter }) => meter) ?? []
  return [...new Set([...fixed.map(([meter]) => meter as Meter), ...stretched])]
}

/** The outcome for a caller behind them. */
export function behind([first, ...others]: Breaches, { amounts }: RoomRequest): ReserveOutcome {
  const asked = isCounterMeter(first.meter) ? (amounts[first.meter] ?? 0) : 0
  return { kind: 'breached', mayFitLater: true, breaches: [{ ...first, asked }, ...others], newlyExceeded: [] }
}
