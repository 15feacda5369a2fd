import {
  type AmountVector,
  addAmount,
  crossingsAt,
  type LimitCrossing,
  nextMark,
  zeroVector,
} from '../../core/index.ts'
import { type LimitState, type WindowState, windowOf } from './limit-state.ts'
import type { ReservationRecord } from './reservation-state.ts'
import { countAll, type ScopeState, touchedBy } from './scope-state.ts'

/**
 * Takes a reservation's charge from `before` (`null`: nothing yet) to `after` on the whole path, in the windows in
 * which it was reserved. The first charge also ends the reservation.
 */
export function chargeOnPath(
  record: ReservationRecord,
  before: AmountVector | null,
  after: AmountVector,
): readonly LimitCrossing[] {
  let crossings: LimitCrossing[] | null = null
  const freed = before === null ? record.reserved : NOTHING
  const change = before === null ? after : after.map((amount, index) => amount - before[index]!)
  const touched = touchedBy(change)
  const path = record.scope.rootToSelf
  for (let depth = 0; depth < path.length; depth++) {
    const scope = path[depth]!
    if ((touched & ~scope.counted) !== 0) countAll(scope, change)
    const { limits, unlimited } = scope
    for (let place = 0; place < unlimited.length; place++) {
      const counter = unlimited[place]!
      move(counter, freed[counter.index]!, change[counter.index]!)
    }
    for (let place = 0; place < limits.length; place++) {
      const state = limits[place]!
      if (state.index < 0 || state.since > record.sequence) continue
      const window = windowOf(state, record.atMs)
      move(window, freed[state.index]!, change[state.index]!)
      if (window.settled < window.mark) continue
      crossings ??= []
      announce(scope, state, window, crossings)
    }
  }
  return crossings ?? NO_CROSSINGS
}

const NOTHING: AmountVector = zeroVector()
const NO_CROSSINGS: readonly LimitCrossing[] = []

function move(counts: { settled: number; reserved: number }, freed: number, change: number): void {
  counts.reserved = Math.max(0, counts.reserved - freed)
  counts.settled = Math.max(0, addAmount(counts.settled, change))
}

function announce(scope: ScopeState, state: LimitState, window: WindowState, into: LimitCrossing[]): void {
  const { limit, held } = state
  const { settled, reserved } = window
  const { crossings, announced } = crossingsAt(limit, settled, window.announced)
  window.announced = announced
  window.mark = nextMark(limit, announced)
  const resetsAt = state.otherWindows === null ? null : window.endMs
  for (const crossing of crossings) {
    into.push({ scopeId: scope.id, scopePath: scope.path, limit, crossing, settled, reserved, held, resetsAt })
  }
}
