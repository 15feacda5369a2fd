import {
  type Amounts,
  type AmountVector,
  type AssumedReservation,
  type AssumeOutcome,
  type AssumeRequest,
  amountsFromVector,
  assertTime,
  type Charge,
  chargeFor,
  isEnded,
  type ReleaseRequest,
  type ReservationState,
  type SettleOutcome,
  type SettleRequest,
  transitionTo,
  zeroVector,
} from '../../core/index.ts'
import { chargeOnPath } from './charge-on-path.ts'
import { freePlace } from './close-scope.ts'
import { sizeHoldOnPath } from './hold-on-path.ts'
import type { Ledger } from './ledger.ts'
import type { ReservationRecord } from './reservation-record.ts'

/** Charges what was used, once. */
export function settle(ledger: Ledger, request: SettleRequest): SettleOutcome {
  assertTime(request.atMs, 'settle')
  const record = ledger.reservations.get(request.reservationId)
  if (record === undefined) return UNKNOWN
  const outcome = finish(record, 'settled', chargeFor(record.reserved, request.actual))
  const isDone = outcome.kind === 'settled' || outcome.kind === 'corrected'
  if (isDone && request.hold !== undefined) sizeHoldOnPath(record.scope, request.hold, request.atMs)
  return outcome
}

/** Charges nothing, once: the call never reached the provider. */
export function release(ledger: Ledger, request: ReleaseRequest): SettleOutcome {
  const record = ledger.reservations.get(request.reservationId)
  if (record === undefined) return UNKNOWN
  assertTime(request.atMs, 'release')
  const outcome = finish(record, 'released', { charged: NOTHING, anomalies: [] })
  if (outcome.kind === 'released' && request.hold !== undefined)
    sizeHoldOnPath(record.scope, request.hold, request.atMs)
  return outcome
}

/** Charges everything that a dead holder left open, in full. */
export function assumeOpen(ledger: Ledger, request: AssumeRequest): AssumeOutcome {
  const reservations: AssumedReservation[] = []
  const orphanedScopes: string[] = []
  for (const record of ledger.reservations.values()) {
    if (record.holder !== request.holder || record.state !== 'open') continue
    const crossings = chargeOnPath(record, null, record.reserved)
    record.state = 'assumed'
    record.charged = record.reserved
    const charged = amountsFromVector(record.reserved)
    reservations.push({ reservationId: record.id, scopeId: record.scope.id, charged, crossings })
  }
  for (const scope of ledger.scopes.values()) {
    if (scope.owner !== request.holder || scope.isOrphaned || isEnded(scope.status)) continue
    freePlace(scope)
    scope.isOrphaned = true
    orphanedScopes.push(scope.id)
  }
  return { reservations, orphanedScopes }
}

const UNKNOWN: SettleOutcome = { kind: 'unknown' }
const NOTHING: AmountVector = zeroVector()

function finish(record: ReservationRecord, state: 'settled' | 'released', charge: Charge): SettleOutcome {
  const transition = transitionTo(record.state, record.charged ?? NOTHING, charge.charged)
  if (transition === 'duplicate') {
    return { kind: 'duplicate', charged: amountsFromVector(record.charged ?? NOTHING), crossings: record.crossings }
  }
  if (transition === 'conflict') {
    return { kind: 'conflict', state: record.state, charged: amountsFromVector(record.charged ?? NOTHING) }
  }
  const crossings = chargeOnPath(record, record.charged, charge.charged)
  record.state = state
  record.charged = charge.charged
  record.crossings = crossings
  return {
    kind: kindOf(transition, state),
    scopeId: record.scope.id,
    charged: amountsFromVector(charge.charged),
    overrun: overrunOver(record.reserved, charge.charged),
    anomalies: charge.anomalies,
    crossings,
  }
}

function kindOf(transition: 'first' | 'correction', state: ReservationState): 'settled' | 'corrected' | 'released' {
  if (transition === 'correction') return 'corrected'
  return state === 'released' ? 'released' : 'settled'
}

const NO_OVERRUN: Amounts = {}

function overrunOver(reserved: AmountVector, charged: AmountVector): Amounts {
  let isOver = false
  for (let index = 0; index < charged.length; index++) if (charged[index]! > reserved[index]!) isOver = true
  if (!isOver) return NO_OVERRUN
  return amountsFromVector(charged.map((amount, index) => Math.max(0, amount - reserved[index]!)))
}
