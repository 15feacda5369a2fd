import type { AmountVector, CounterMeter, ElasticAsk, LimitCrossing, ReservationState } from '../../../core/index.ts'
import type { ReservationRecord, ScopeState } from '../../ledger/index.ts'
import type { SqlRow, SqlValue } from '../database/index.ts'
import { columnsOf } from './columns-of.ts'

const RESERVATIONS = columnsOf('reservations')

const STATES = ['open', 'assumed', 'settled', 'released'] as const satisfies readonly ReservationState[]

/** A reservation as a row, in the order of the columns. */
export function rowFromReservation(record: ReservationRecord): readonly SqlValue[] {
  const { id, scope, holder, state, atMs, sequence, fixed, elastic, units, reserved } = record
  return [
    id,
    scope.id,
    holder,
    state,
    atMs,
    sequence,
    JSON.stringify(fixed),
    elastic === null ? null : elasticText(elastic),
    units,
    JSON.stringify(reserved),
    ...chargeOf(record),
  ]
}

/** The update of a stored reservation: its state, its charge and the crossings of that, by its id. */
export function chargeFromReservation(record: ReservationRecord): readonly SqlValue[] {
  return [record.state, ...chargeOf(record), record.id]
}

type StoredElastic = readonly [least: number, enough: number, most: number, ...rates: StoredRate[]]
type StoredRate = readonly [meter: CounterMeter, numerator: number, denominator: number]

// Without field names, which are longer than the rest of a reservation.
function elasticText({ least, enough, most, rates }: ElasticAsk): string {
  const stored: [number, number, number, ...StoredRate[]] = [least, enough, most]
  for (const { meter, numerator, denominator } of rates) stored.push([meter, numerator, denominator])
  return JSON.stringify(stored)
}

function elasticFrom(stored: StoredElastic | ElasticAsk): ElasticAsk {
  // The form of the first versions.
  if ('rates' in stored) return stored
  const [least, enough, most, ...rates] = stored
  const named = rates.map(([meter, numerator, denominator]) => ({ meter, numerator, denominator }))
  return { least, enough, most, rates: named }
}

function chargeOf({ charged, crossings }: ReservationRecord): readonly [SqlValue, SqlValue] {
  return [charged === null ? null : JSON.stringify(charged), crossings.length === 0 ? null : JSON.stringify(crossings)]
}

export function reservationFromRow(row: SqlRow, scope: ScopeState): ReservationRecord {
  const { elastic, charged, crossings } = row
  return {
    id: RESERVATIONS.text(row, 'id'),
    scope,
    holder: RESERVATIONS.text(row, 'holder'),
    state: RESERVATIONS.oneOf(row, 'state', STATES),
    atMs: RESERVATIONS.integer(row, 'at_ms'),
    sequence: RESERVATIONS.integer(row, 'sequence'),
    fixed: RESERVATIONS.json<AmountVector>(row, 'fixed'),
    elastic: elastic === null ? null : elasticFrom(RESERVATIONS.json(row, 'elastic')),
    units: RESERVATIONS.integer(row, 'units'),
    reserved: RESERVATIONS.json<AmountVector>(row, 'reserved'),
    charged: charged === null ? null : RESERVATIONS.json<AmountVector>(row, 'charged'),
    crossings: crossings === null ? [] : RESERVATIONS.json<LimitCrossing[]>(row, 'crossings'),
  }
}
