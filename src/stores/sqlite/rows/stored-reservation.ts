import {
  type AmountVector,
  CALL_ENDINGS,
  type CallFacts,
  type CallResult,
  type CounterMeter,
  type ElasticAsk,
  keptCallFacts,
  keptCallResult,
  type LimitCrossing,
  type ReservationState,
} from '../../../core/index.ts'
import type { ReservationRecord, ScopeState } from '../../ledger/index.ts'
import type { Correction } from '../../ledger/state/ledger-state.ts'
import type { SqlRow, SqlValue } from '../database/index.ts'
import { columnsOf } from './columns-of.ts'

const CALLS = columnsOf('calls')

const STATES = ['open', 'assumed', 'settled', 'released'] as const satisfies readonly ReservationState[]

/** A reservation as the parameters of `addCall`. */
export function rowFromReservation(record: ReservationRecord): readonly SqlValue[] {
  const { id, scope, holder, state, atMs, sequence, fixed, elastic, units, reserved, about } = record
  const [fixedText, reservedText] = [JSON.stringify(fixed), JSON.stringify(reserved)]
  const [, charged = null, crossings = null, ...rest] = endingOf(record)
  return [
    sequence,
    id,
    scope.rootToSelf[0]!.id,
    scope.id,
    holder,
    state,
    atMs,
    fixedText === reservedText ? null : fixedText,
    elastic === null ? null : elasticText(elastic),
    units,
    reservedText,
    charged,
    crossings,
    aboutText(about),
    ...rest,
  ]
}

/** The parameters of `chargeCall`. */
export function chargeFromReservation(record: ReservationRecord): readonly SqlValue[] {
  return [...endingOf(record), record.sequence]
}

/** The state, and the columns that the end of a call fills in. */
function endingOf(record: ReservationRecord): readonly SqlValue[] {
  const { state, charged, crossings, endedAtMs, told, correction } = record
  const result = keptCallResult(record.result)
  return [
    state,
    charged === null ? null : JSON.stringify(charged),
    crossings.length === 0 ? null : JSON.stringify(crossings),
    result?.ending ?? null,
    factsText(result),
    endedAtMs,
    told,
    correction?.told ?? null,
    correction?.atMs ?? null,
    correction === null ? null : JSON.stringify(correction.assumed),
  ]
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

const ABOUT = ['call', 'name', 'provider', 'phase', 'attempt', 'outputTokens'] as const satisfies (keyof CallFacts)[]

function aboutText(about: CallFacts | null): string | null {
  const facts = keptCallFacts(about)
  if (facts === null) return null
  const stored = ABOUT.map((field) => facts[field] ?? null)
  while (stored.at(-1) === null) stored.pop()
  return JSON.stringify(stored)
}

function aboutFrom(stored: readonly unknown[]): CallFacts | null {
  return keptCallFacts(Object.fromEntries(ABOUT.map((field, place) => [field, stored[place]])))
}

/** What the charge was computed from: the part of a result that is in the journal, too. */
export function factsText(result: CallResult | null): string | null {
  if (result === null || (result.usage === undefined && result.price === undefined)) return null
  const { ending: _, ...facts } = result
  return JSON.stringify(facts)
}

export function reservationFromRow(row: SqlRow, scope: ScopeState): ReservationRecord {
  const { elastic, charged, crossings } = row
  return {
    id: CALLS.text(row, 'id'),
    scope,
    holder: CALLS.text(row, 'holder'),
    state: CALLS.oneOf(row, 'state', STATES),
    atMs: CALLS.integer(row, 'at_ms'),
    sequence: CALLS.integer(row, 'sequence'),
    fixed: CALLS.json<AmountVector>(row, 'fixed'),
    elastic: elastic === null ? null : elasticFrom(CALLS.json(row, 'elastic')),
    units: CALLS.integer(row, 'units'),
    reserved: CALLS.json<AmountVector>(row, 'reserved'),
    charged: charged === null ? null : CALLS.json<AmountVector>(row, 'charged'),
    crossings: crossings === null ? [] : CALLS.json<LimitCrossing[]>(row, 'crossings'),
    about: isSet(row.about) ? aboutFrom(CALLS.json(row, 'about')) : null,
    result: resultFrom(row),
    endedAtMs: isSet(row.ended_at) ? CALLS.integer(row, 'ended_at') : null,
    told: isSet(row.told) ? CALLS.integer(row, 'told') : null,
    correction: isSet(row.corrected) ? correctionFrom(row) : null,
  }
}

// The checkpoint of a journal has no columns that only describe.
function isSet(value: SqlValue | undefined): boolean {
  return value !== null && value !== undefined
}

function resultFrom(row: SqlRow): CallResult | null {
  const facts = isSet(row.facts) ? CALLS.json<Pick<CallResult, 'usage' | 'price'>>(row, 'facts') : {}
  if (isSet(row.ending)) return { ending: CALLS.oneOf(row, 'ending', CALL_ENDINGS), ...facts }
  return isSet(row.facts) ? { ending: 'answered', ...facts } : null
}

function correctionFrom(row: SqlRow): Correction {
  return {
    told: CALLS.integer(row, 'corrected'),
    atMs: CALLS.integer(row, 'corrected_at'),
    assumed: CALLS.json<AmountVector>(row, 'assumed'),
  }
}
