import {
  type AmountVector,
  addAmount,
  crossingsAt,
  type LimitCrossing,
  nextMark,
  zeroVector,
} from '../../core/index.ts'
import { rowOfReservation } from './state/counter-series.ts'
import type { CounterRow, CounterSeries, ReservationRecord, ScopeState } from './state/ledger-state.ts'
import { announcedOn, setAnnounced } from './state/limit-state.ts'
import { countAll, touchedBy } from './state/scope-state.ts'

/**
 * Changes a reservation's charge from `before` (`null`: none yet) to `after` on the whole path, in the windows it was
 * reserved in. The first charge also ends the reservation.
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
    const { series } = scope
    for (let place = 0; place < series.length; place++) {
      const each = series[place]!
      const row = each.others === null ? each.present : rowOfReservation(each, record)
      if (row === null) continue
      const freedHere = freed[each.index]!
      const changeHere = change[each.index]!
      if (freedHere !== 0 || changeHere !== 0) {
        // Never below 0, in case a sum was saturated: a counter must not owe budget.
        row.reserved = Math.max(0, row.reserved - freedHere)
        row.settled = Math.max(0, addAmount(row.settled, changeHere))
        scope.changes?.counter(each, row)
      }
      if (row.settled < row.mark) continue
      crossings ??= []
      announce(scope, each, row, crossings)
    }
  }
  return crossings ?? NO_CROSSINGS
}

const NOTHING: AmountVector = zeroVector()
const NO_CROSSINGS: readonly LimitCrossing[] = []

/** Adds the crossings of every limit on this row that weren't announced yet. */
export function announce(scope: ScopeState, series: CounterSeries, row: CounterRow, into: LimitCrossing[]): void {
  const { settled, reserved } = row
  const resetsAt = series.per === null ? null : row.endMs
  let mark = Number.POSITIVE_INFINITY
  for (const state of scope.limits) {
    if (state.series !== series) continue
    const { limit, held } = state
    const { crossings, announced } = crossingsAt(limit, settled, announcedOn(row, state.key))
    if (crossings.length > 0) setAnnounced(state, row, announced)
    for (const crossing of crossings) {
      into.push({ scopeId: scope.id, scopePath: scope.path, limit, crossing, settled, reserved, held, resetsAt })
    }
    mark = Math.min(mark, nextMark(limit, announced))
  }
  row.mark = mark
}
