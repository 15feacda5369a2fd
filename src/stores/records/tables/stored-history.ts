import { type DenialCount, type EventDraft, METER_NAMES, PERIODS } from '../../../core/index.ts'
import type { HistoryRange, HistoryTable } from '../../operations/state/ledger.ts'
import type { ReservationRecord } from '../../operations/state/ledger-state.ts'
import type { ChangeLog } from '../change-log.ts'
import type { RowSource } from '../row-source.ts'
import { columnsOf } from '../rows/columns-of.ts'
import type { SqlRow, SqlValue } from '../rows/sql-row.ts'

const EVENTS = columnsOf('events')
const DENIALS = columnsOf('denials')

// Represents "no period" and "a window without an end", since a key cannot be NULL.
const NO_PERIOD = ''
const NO_END = 0

export interface StoredHistoryOptions {
  readonly source: RowSource
  readonly changes: ChangeLog
  /** Writes what is pending, so that it is found. */
  readonly flush: () => void
  readonly reservationFrom: (row: SqlRow) => ReservationRecord
}

/** The stored history. */
export function createStoredHistory({ source, changes, flush, reservationFrom }: StoredHistoryOptions): HistoryTable {
  return {
    add: (scope, event) => changes.event(scope, event),
    deny: (scope, denial) => changes.denied(scope, denial),
    // Every change of a scope or a counter is already recorded.
    touch() {},
    denials(scope) {
      flush()
      return source.denials(scope.id).map(denialFrom)
    },
    events(range) {
      flush()
      return source.events(range).map((row) => {
        const draft = EVENTS.json<EventDraft>(row, 'body')
        return { number: EVENTS.integer(row, 'number'), atMs: EVENTS.integer(row, 'at_ms'), draft }
      })
    },
    calls(range, by) {
      flush()
      return source.historyCalls(range, by).map(reservationFrom)
    },
    forgotten({ id }) {
      flush()
      return source.forgotten(id)
    },
  }
}

/** Which calls a range includes: 1: only those with assumed charges, 0: none of them, 2: all. */
export function assumedOnly({ kinds }: Pick<HistoryRange, 'kinds'>): 0 | 1 | 2 {
  if (kinds === null || (kinds.has('call_settled') && kinds.has('reservation_assumed'))) return 2
  return kinds.has('reservation_assumed') ? 1 : 0
}

/** A refusal as the values of `countDenials`. */
export function rowFromDenial(scopeId: string, { meter, per, resetsAt, count, lastAtMs }: DenialCount): SqlValue[] {
  return [scopeId, meter, per ?? NO_PERIOD, resetsAt ?? NO_END, count, lastAtMs]
}

function denialFrom(row: SqlRow): DenialCount {
  const resetsAt = DENIALS.integer(row, 'resets_at')
  return {
    meter: DENIALS.oneOf(row, 'meter', METER_NAMES),
    per: row.per === NO_PERIOD ? null : DENIALS.oneOf(row, 'per', PERIODS),
    resetsAt: resetsAt === NO_END ? null : resetsAt,
    count: DENIALS.integer(row, 'count'),
    lastAtMs: DENIALS.integer(row, 'last_at'),
  }
}
