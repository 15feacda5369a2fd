import { type DenialCount, type EventDraft, METER_NAMES, PERIODS } from '../../../core/index.ts'
import type { HistoryRange, HistoryTable } from '../../ledger/state/ledger.ts'
import type { ReservationRecord } from '../../ledger/state/ledger-state.ts'
import type { ChangeLog } from '../change-log.ts'
import type { SqlRow, SqlValue } from '../database/index.ts'
import type { Statements } from '../statements.ts'
import { columnsOf } from './columns-of.ts'

const EVENTS = columnsOf('events')
const DENIALS = columnsOf('denials')
const SCOPES = columnsOf('scopes')

// What stands for no period, and for a window without an end: a key cannot be NULL.
const NO_PERIOD = ''
const NO_END = 0

export interface StoredHistoryOptions {
  readonly statements: Statements
  readonly changes: ChangeLog
  /** Writes what is pending, so that it is found. */
  readonly write: () => void
  readonly reservationFrom: (row: SqlRow) => ReservationRecord
}

/** What happened, as it is stored. */
export function createStoredHistory({
  statements,
  changes,
  write,
  reservationFrom,
}: StoredHistoryOptions): HistoryTable {
  return {
    add: (scope, event) => changes.event(scope, event),
    deny: (scope, denial) => changes.denied(scope, denial),
    // Every change of a scope or a counter is noted already.
    touch() {},
    denials(scope) {
      write()
      return statements.denials.all(scope.id).map(denialFrom)
    },
    events(range) {
      write()
      const kinds = range.kinds === null ? null : JSON.stringify([...range.kinds])
      return statementFor(statements, 'events', range)
        .all(...placeOf(range), kinds, kinds, range.most)
        .map((row) => {
          const draft = EVENTS.json<EventDraft>(row, 'body')
          return { number: EVENTS.integer(row, 'number'), atMs: EVENTS.integer(row, 'at_ms'), draft }
        })
    },
    calls(range, by) {
      write()
      const meant = assumedOnly(range)
      return statementFor(statements, by === 'end' ? 'ends' : 'corrections', range)
        .all(...placeOf(range), meant, meant, range.most)
        .map(reservationFrom)
    },
    forgotten({ id }) {
      write()
      const row = statements.forgotten.get(id)
      return row === undefined ? 0 : SCOPES.integer(row, 'forgotten')
    },
  }
}

function statementFor(statements: Statements, what: 'events' | 'ends' | 'corrections', range: HistoryRange) {
  const place = range.scope.parent === null ? 'OfRoot' : 'Below'
  return statements[`${what}${place}${range.latest ? 'Last' : 'First'}`]
}

function placeOf({ scope, after, before }: HistoryRange): readonly SqlValue[] {
  return [scope.id, after, before]
}

/** 1: only assumed charges, 0: none of them, 2: all. */
function assumedOnly({ kinds }: HistoryRange): number {
  if (kinds === null || (kinds.has('call_settled') && kinds.has('reservation_assumed'))) return 2
  return Number(kinds.has('reservation_assumed'))
}

/** A refusal as the parameters of `countDenials`. */
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
