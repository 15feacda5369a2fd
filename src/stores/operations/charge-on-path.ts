import {
  type AmountVector,
  addAmount,
  crossingsAt,
  type LimitCrossing,
  nextMark,
  nextShareMark,
  type ShareRule,
  zeroVector,
} from '../../core/index.ts'
import type { AlertBook } from './alerts/alert-book.ts'
import type { ScopeAlert } from './alerts/raise-alert.ts'
import { watchCounter } from './alerts/watch-shares.ts'
import { rowOfReservation } from './state/counter-series.ts'
import type { CounterRow, CounterSeries, ReservationRecord, ScopeState } from './state/ledger-state.ts'
import { announcedOn, setAnnounced } from './state/limit-state.ts'
import { countAll, touchedBy } from './state/scope-state.ts'

/** What a change of counters has passed: thresholds and limits, and shares that alerts are about. */
export interface Crossed {
  readonly crossings: LimitCrossing[]
  readonly alerts: ScopeAlert[]
}

/**
 * Changes a reservation's charge from `before` (`null`: none yet) to `after` on the whole path, in the windows it was
 * reserved in. The first charge also ends the reservation.
 */
export function chargeOnPath(
  record: ReservationRecord,
  before: AmountVector | null,
  after: AmountVector,
  book: AlertBook | null,
): Crossed {
  let crossed: Crossed | null = null
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
      crossed ??= { crossings: [], alerts: [] }
      announce(scope, each, row, crossed, book)
    }
  }
  return crossed ?? NOTHING_CROSSED
}

const NOTHING: AmountVector = zeroVector()
const NOTHING_CROSSED: Crossed = { crossings: [], alerts: [] }
const NO_RULES: readonly ShareRule[] = []

/** Adds what every limit on this row has to announce for the first time. */
export function announce(
  scope: ScopeState,
  series: CounterSeries,
  row: CounterRow,
  into: Crossed,
  book: AlertBook | null,
): void {
  const { settled, reserved } = row
  const resetsAt = series.per === null ? null : row.endMs
  let mark = Number.POSITIVE_INFINITY
  for (const state of scope.limits) {
    if (state.series !== series) continue
    const { limit, held } = state
    const { crossings, announced: passed } = crossingsAt(limit, settled, announcedOn(row, state.key))
    for (const crossing of crossings) {
      into.crossings.push({
        scopeId: scope.id,
        scopePath: scope.path,
        limit,
        crossing,
        settled,
        reserved,
        held,
        resetsAt,
      })
    }
    const rules = book?.shares[series.index] ?? NO_RULES
    const announced = watchCounter(rules, { scope, limit, settled }, passed, into.alerts)
    if (crossings.length > 0 || announced !== passed) setAnnounced(state, row, announced)
    mark = Math.min(mark, nextMark(limit, announced), nextShareMark(rules, limit.max, announced.alerts ?? []))
  }
  row.mark = mark
}
