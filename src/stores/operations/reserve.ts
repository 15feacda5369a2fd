import {
  amountsFromVector,
  type CallFacts,
  type ElasticAsk,
  type ElasticRate,
  HolderDeadError,
  type LimitCrossing,
  leftOnPath,
  ReservationConflictError,
  type ReserveOutcome,
  type ReserveRequest,
  vectorFromAmounts,
} from '../../core/index.ts'
import { countDenial, recordExceeded } from './history/record-event.ts'
import { noteActive } from './note-active.ts'
import { reserveOnPath } from './reserve-on-path.ts'
import { type Ledger, scopeIn } from './state/ledger.ts'
import type { ReservationRecord } from './state/ledger-state.ts'
import { blockOnPath } from './state/scope-state.ts'

const NO_CROSSINGS: readonly LimitCrossing[] = []

/** Reserves on the whole path, or says why not. A repeated request returns the same reservation. */
export function reserve(ledger: Ledger, request: ReserveRequest): ReserveOutcome {
  const scope = scopeIn(ledger, request.scopeId)
  if (ledger.holders.isDead(request.holder)) throw new HolderDeadError(request.holder)
  const fixed = vectorFromAmounts(request.amounts, 'reserve')
  const known = ledger.reservations.get(request.reservationId)
  if (known !== undefined) return repeat(known, request, fixed)
  noteActive(ledger, scope, request)
  const blocked = blockOnPath(scope.rootToSelf, request.closing === true)
  if (blocked !== null) return blocked
  const decision = reserveOnPath(scope, request, fixed)
  if (decision.kind === 'breached') {
    const { mayFitLater, breaches, newlyExceeded, isFinal } = decision
    if (isFinal) {
      countDenial(ledger, scope.rootToSelf, breaches[0], request.atMs)
      recordExceeded(ledger, scope.rootToSelf, newlyExceeded, request.atMs)
    }
    return { kind: 'breached', mayFitLater, breaches, newlyExceeded }
  }
  const record: ReservationRecord = {
    id: request.reservationId,
    scope,
    fixed,
    elastic: request.elastic ?? null,
    reserved: decision.reserved,
    units: decision.units,
    atMs: request.atMs,
    sequence: ++ledger.sequence,
    holder: request.holder,
    state: 'open',
    charged: null,
    crossings: NO_CROSSINGS,
    about: aboutOf(request),
    result: null,
    endedAtMs: null,
    told: null,
    correction: null,
  }
  ledger.reservations.add(record)
  ledger.history?.touch(scope)
  if (ledger.changes !== null) {
    const { id: reservation, atMs: at, holder, reserved, sequence } = record
    const fact = { kind: 'reserved', at, scope: scope.id, reservation, holder, amounts: reserved, sequence } as const
    ledger.changes.reserved(record)
    ledger.changes.append(scope, fact)
  }
  const amounts = request.elastic === undefined ? request.amounts : amountsFromVector(record.reserved)
  const granted = { kind: 'granted', reservationId: record.id, amounts, units: record.units, duplicate: false } as const
  return request.withLeft === true ? { ...granted, left: leftOnPath(scope.rootToSelf) } : granted
}

/** What is stored of it, including that it is the closing call. */
function aboutOf({ about, closing }: ReserveRequest): CallFacts | null {
  if (closing !== true) return about ?? null
  return { ...(about ?? { call: 'other', name: null }), isClosing: true }
}

function repeat(known: ReservationRecord, request: ReserveRequest, fixed: readonly number[]): ReserveOutcome {
  const isSame =
    known.state === 'open' &&
    known.scope.id === request.scopeId &&
    fixed.every((amount, index) => amount === known.fixed[index]) &&
    isSameElastic(known.elastic, request.elastic ?? null)
  if (!isSame) throw new ReservationConflictError(request.reservationId)
  const { id, reserved, units } = known
  const granted = { reservationId: id, amounts: amountsFromVector(reserved), units, duplicate: true }
  const left = request.withLeft === true ? { left: leftOnPath(known.scope.rootToSelf) } : {}
  return { kind: 'granted', ...granted, ...left }
}

function isSameElastic(known: ElasticAsk | null, asked: ElasticAsk | null): boolean {
  if (known === null || asked === null) return known === asked
  const isSamePart = known.least === asked.least && known.enough === asked.enough && known.most === asked.most
  return (
    isSamePart &&
    known.rates.length === asked.rates.length &&
    known.rates.every((rate, index) => isSameRate(rate, asked.rates[index]!))
  )
}

function isSameRate(known: ElasticRate, asked: ElasticRate): boolean {
  const { meter, numerator, denominator } = known
  return meter === asked.meter && numerator === asked.numerator && denominator === asked.denominator
}
