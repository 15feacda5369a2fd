import type {
  AmountVector,
  CounterMeter,
  ElasticAsk,
  ElasticRate,
  LimitCrossing,
  ReservationState,
} from '../../core/index.ts'
import type { ReservationRecord, ScopeState } from '../ledger/index.ts'
import type { SqlRow, SqlValue } from './database/index.ts'

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
    chargedText(record),
    crossingsText(record),
  ]
}

/** What becomes of a reservation that is stored already: its state, what was charged and what that passed, by its id. */
export function chargeFromReservation(record: ReservationRecord): readonly SqlValue[] {
  return [record.state, chargedText(record), crossingsText(record), record.id]
}

type StoredElastic = readonly [least: number, enough: number, most: number, ...rates: StoredRate[]]
type StoredRate = readonly [meter: CounterMeter, numerator: number, denominator: number]

// Without the names of its fields, which are longer than all the rest of a reservation.
function elasticText({ least, enough, most, rates }: ElasticAsk): string {
  const stored: StoredElastic = [least, enough, most, ...rates.map(storedRate)]
  return JSON.stringify(stored)
}

function storedRate({ meter, numerator, denominator }: ElasticRate): StoredRate {
  return [meter, numerator, denominator]
}

function elasticFrom(text: string): ElasticAsk {
  const stored = JSON.parse(text) as StoredElastic | ElasticAsk
  // As ledgers of the first versions have it.
  if ('rates' in stored) return stored
  const [least, enough, most, ...rates] = stored
  const named = rates.map(([meter, numerator, denominator]) => ({ meter, numerator, denominator }))
  return { least, enough, most, rates: named }
}

function chargedText({ charged }: ReservationRecord): string | null {
  return charged === null ? null : JSON.stringify(charged)
}

function crossingsText({ crossings }: ReservationRecord): string | null {
  return crossings.length === 0 ? null : JSON.stringify(crossings)
}

/** The reservation that a row holds. */
export function reservationFromRow(row: SqlRow, scope: ScopeState): ReservationRecord {
  const { elastic, charged, crossings } = row
  return {
    id: row.id as string,
    scope,
    holder: row.holder as string,
    state: row.state as ReservationState,
    atMs: row.at_ms as number,
    sequence: row.sequence as number,
    fixed: JSON.parse(row.fixed as string) as AmountVector,
    elastic: elastic === null ? null : elasticFrom(elastic as string),
    units: row.units as number,
    reserved: JSON.parse(row.reserved as string) as AmountVector,
    charged: charged === null ? null : (JSON.parse(charged as string) as AmountVector),
    crossings: crossings === null ? [] : (JSON.parse(crossings as string) as LimitCrossing[]),
  }
}
