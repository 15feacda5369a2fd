import {
  type AmountVector,
  CALL_COSTS,
  CALL_ENDINGS,
  type CallCosts,
  type CallFacts,
  type CallResult,
  type CounterMeter,
  type ElasticAsk,
  keptCallFacts,
  keptCallResult,
  type LimitCrossing,
  type ReservationState,
} from '../../../core/index.ts'
import type { ReservationRecord, ScopeState } from '../../operations/index.ts'
import type { Correction } from '../../operations/state/ledger-state.ts'
import { columnsOf } from './columns-of.ts'
import type { SqlRow, SqlValue } from './sql-row.ts'
import { type StoredUsage, storedUsage, usageFrom } from './usage-text.ts'

const CALLS = columnsOf('calls')

const STATES = ['open', 'assumed', 'settled', 'released'] as const satisfies readonly ReservationState[]

/** A reservation as the values of `addCall`. */
export function rowFromReservation(record: ReservationRecord): readonly SqlValue[] {
  const { id, scope, holder, atMs, sequence, fixed, elastic, units, reserved, about } = record
  const [fixedText, reservedText] = [JSON.stringify(fixed), JSON.stringify(reserved)]
  return [
    sequence,
    id,
    scope.rootToSelf[0]!.id,
    scope.id,
    holder,
    atMs,
    fixedText === reservedText ? null : fixedText,
    elastic === null ? null : elasticText(elastic),
    units,
    reservedText,
    aboutText(about),
    ...endingOf(record),
  ]
}

/** The values of `chargeCall`. */
export function chargeFromReservation(record: ReservationRecord): readonly SqlValue[] {
  return [...endingOf(record), record.sequence]
}

/** The state, and the columns that the end of a call fills in. */
function endingOf(record: ReservationRecord): readonly SqlValue[] {
  const { state, charged, crossings, endedAtMs, told, correction } = record
  const result = keptCallResult(record.result)
  const facts = factsText(result)
  // A call with usage or a price was answered unless it says otherwise.
  const ending = facts !== null && result!.ending === 'answered' ? null : (result?.ending ?? null)
  return [
    state,
    charged === null ? null : JSON.stringify(charged),
    crossings.length === 0 ? null : JSON.stringify(crossings),
    ending,
    facts,
    costsText(result),
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

// Append only.
const ABOUT = [
  'call',
  'name',
  'provider',
  'phase',
  'attempt',
  'outputTokens',
  'isClosing',
  'waitedMs',
  'hint',
] as const satisfies (keyof CallFacts)[]

// Append only: its place is stored, a tenth of its length. Earlier versions stored the word.
const PHASES: readonly unknown[] = ['planning', 'execution'] satisfies CallFacts['phase'][]
const PHASE = ABOUT.indexOf('phase')

function aboutText(about: CallFacts | null): string | null {
  const facts = keptCallFacts(about)
  if (facts === null) return null
  const stored: unknown[] = ABOUT.map((field) => facts[field] ?? null)
  if (facts.phase !== undefined) stored[PHASE] = PHASES.indexOf(facts.phase)
  while (stored.at(-1) === null) stored.pop()
  return JSON.stringify(stored)
}

export function keptAboutFrom(stored: readonly unknown[]): CallFacts | null {
  const fields = Object.fromEntries(ABOUT.map((field, place) => [field, stored[place]]))
  return keptCallFacts(typeof fields.phase === 'number' ? { ...fields, phase: PHASES[fields.phase] } : fields)
}

/** What the charge was computed from: the part of a result that is also in the journal. */
export function factsText(result: CallResult | null): string | null {
  if (result === null || (result.usage === undefined && result.price === undefined)) return null
  const { usage, price } = result
  // A list; earlier versions have an object.
  return JSON.stringify(usage === undefined ? [price] : [price ?? null, storedUsage(usage)])
}

/** The costs without their names, in a fixed order. */
function costsText(result: CallResult | null): string | null {
  const costs = result?.costs
  if (costs === undefined) return null
  const stored = CALL_COSTS.map((part) => costs[part] ?? 0)
  while (stored.at(-1) === 0) stored.pop()
  return JSON.stringify(stored)
}

function costsFrom(stored: readonly number[]): CallCosts {
  return Object.fromEntries(stored.flatMap((cost, place) => (cost > 0 ? [[CALL_COSTS[place]!, cost]] : [])))
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
    about: isSet(row.about) ? keptAboutFrom(CALLS.json(row, 'about')) : null,
    result: resultFrom(row),
    endedAtMs: isSet(row.ended_at) ? CALLS.integer(row, 'ended_at') : null,
    told: isSet(row.told) ? CALLS.integer(row, 'told') : null,
    correction: isSet(row.corrected) ? correctionFrom(row) : null,
  }
}

// The checkpoint of a journal has no descriptive columns.
function isSet(value: SqlValue | undefined): boolean {
  return value !== null && value !== undefined
}

function resultFrom(row: SqlRow): CallResult | null {
  const facts = {
    ...(isSet(row.facts) ? factsFrom(CALLS.json(row, 'facts')) : {}),
    ...(isSet(row.costs) ? { costs: costsFrom(CALLS.json(row, 'costs')) } : {}),
  }
  if (isSet(row.ending)) return { ending: CALLS.oneOf(row, 'ending', CALL_ENDINGS), ...facts }
  return isSet(row.facts) ? { ending: 'answered', ...facts } : null
}

type Facts = Pick<CallResult, 'usage' | 'price'>

function factsFrom(stored: Facts | readonly [price: string | null, usage?: StoredUsage]): Facts {
  if (!('length' in stored)) return stored
  const [price, usage] = stored
  return { ...(usage === undefined ? {} : { usage: usageFrom(usage) }), ...(price === null ? {} : { price }) }
}

function correctionFrom(row: SqlRow): Correction {
  return {
    told: CALLS.integer(row, 'corrected'),
    atMs: CALLS.integer(row, 'corrected_at'),
    assumed: CALLS.json<AmountVector>(row, 'assumed'),
  }
}
