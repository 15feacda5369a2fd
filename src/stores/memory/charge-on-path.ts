import { type AmountVector, addAmount, crossingsAt, type LimitCrossing, zeroVector } from '../../core/index.ts'
import { type CounterRow, rowOfReservation } from './counter-series.ts'
import { announcedOn, type LimitState, setAnnounced } from './limit-state.ts'
import type { ReservationRecord } from './reservation-record.ts'
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
    const { series, limits } = scope
    for (let place = 0; place < series.length; place++) {
      const each = series[place]!
      const row = rowOfReservation(each, record)
      if (row !== null) move(row, freed[each.index]!, change[each.index]!)
    }
    for (let place = 0; place < limits.length; place++) {
      const state = limits[place]!
      if (state.series === null) continue
      const row = rowOfReservation(state.series, record)
      if (row === null || (row === state.counter && row.settled < state.mark)) continue
      crossings ??= []
      announce(scope, state, row, crossings)
    }
  }
  return crossings ?? NO_CROSSINGS
}

const NOTHING: AmountVector = zeroVector()
const NO_CROSSINGS: readonly LimitCrossing[] = []

// Never below 0, should a sum have been saturated: a counter must not owe budget.
function move(row: CounterRow, freed: number, change: number): void {
  row.reserved = Math.max(0, row.reserved - freed)
  row.settled = Math.max(0, addAmount(row.settled, change))
}

/** Adds what the settled amount has passed in this window and nobody was told of yet. */
export function announce(scope: ScopeState, state: LimitState, row: CounterRow, into: LimitCrossing[]): void {
  const { limit, held, series } = state
  const { settled, reserved } = row
  const { crossings, announced } = crossingsAt(limit, settled, announcedOn(row, state.key))
  setAnnounced(state, row, announced)
  const resetsAt = series === null || series.per === null ? null : row.endMs
  for (const crossing of crossings) {
    into.push({ scopeId: scope.id, scopePath: scope.path, limit, crossing, settled, reserved, held, resetsAt })
  }
}
