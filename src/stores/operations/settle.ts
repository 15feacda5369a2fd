import {
  type Amounts,
  type AmountVector,
  type AssumedReservation,
  type AssumeOutcome,
  type AssumeRequest,
  amountsFromVector,
  type CallResult,
  type Charge,
  chargeFor,
  counterIndex,
  keptCallResult,
  keptCosts,
  type ReleaseRequest,
  type SettleOutcome,
  type SettleRequest,
  storableText,
  totalOf,
  transitionTo,
  zeroVector,
} from '../../core/index.ts'
import { raiseAlert } from './alerts/raise-alert.ts'
import { watchRates } from './alerts/watch-rates.ts'
import { chargeOnPath } from './charge-on-path.ts'
import { freePlace } from './close-scope.ts'
import { recordAnomalies, recordCorrection, recordEnd } from './history/record-call.ts'
import { recordCrossings } from './history/record-event.ts'
import { sizeHoldOnPath } from './hold-on-path.ts'
import { noteActive } from './note-active.ts'
import type { Ledger } from './state/ledger.ts'
import type { ReservationRecord } from './state/ledger-state.ts'

/** Charges the actual or assumed usage, once. */
export function settle(ledger: Ledger, request: SettleRequest): SettleOutcome {
  const record = ledger.reservations.get(request.reservationId)
  if (record === undefined) return UNKNOWN
  noteActive(ledger, record.scope, request)
  const next = request.assumed === true ? 'assumed' : 'settled'
  const outcome = finish(ledger, record, next, chargeFor(record.reserved, request.actual), request)
  const isDone = outcome.kind === 'settled' || outcome.kind === 'assumed' || outcome.kind === 'corrected'
  if (isDone && request.hold !== undefined) sizeHoldOnPath(record.scope, request.hold, request.atMs)
  return outcome
}

/** Charges nothing, once: the call never reached the provider. */
export function release(ledger: Ledger, request: ReleaseRequest): SettleOutcome {
  const record = ledger.reservations.get(request.reservationId)
  if (record === undefined) return UNKNOWN
  const outcome = finish(ledger, record, 'released', { charged: NOTHING, anomalies: [] }, request)
  if (outcome.kind === 'released' && request.hold !== undefined)
    sizeHoldOnPath(record.scope, request.hold, request.atMs)
  return outcome
}

/** Charges everything that a dead holder left open, in full. */
export function assumeOpen(ledger: Ledger, request: AssumeRequest): AssumeOutcome {
  const reservations: AssumedReservation[] = []
  const orphanedScopes: string[] = []
  for (const record of ledger.reservations.openOf(request.holder)) {
    const { crossings, alerts } = chargeOnPath(record, null, record.reserved, ledger.alerts)
    record.state = 'assumed'
    record.charged = record.reserved
    recordEnd(ledger, record, request.atMs)
    recordCrossings(ledger, record.scope.rootToSelf, crossings, request.atMs)
    for (const alert of alerts) raiseAlert(ledger, alert, request.atMs)
    watchRates(ledger, record.scope, null, record.reserved, request.atMs)
    journalCharge(ledger, record, 'assumed', request)
    const charged = amountsFromVector(record.reserved)
    reservations.push({ reservationId: record.id, scopeId: record.scope.id, charged, crossings })
  }
  for (const scope of ledger.scopes.ownedBy(request.holder)) {
    if (scope.isOrphaned) continue
    freePlace(scope)
    scope.isOrphaned = true
    ledger.changes?.scope(scope)
    const fact = { kind: 'orphaned', at: request.atMs, scope: scope.id, owner: request.holder } as const
    ledger.changes?.append(scope, { ...fact, ...whoSays(request) })
    ledger.steered(scope)
    orphanedScopes.push(scope.id)
  }
  return { reservations, orphanedScopes }
}

const UNKNOWN: SettleOutcome = { kind: 'unknown' }
const NOTHING: AmountVector = zeroVector()

interface Word {
  readonly atMs: number
  readonly result?: CallResult
  readonly by?: string
  readonly reason?: string
}

/** The facts of a charge for the journal. */
function pricedBy(record: ReservationRecord): Pick<CallResult, 'usage' | 'price'> {
  const kept = keptCallResult(record.result)
  if (kept === null) return {}
  const { usage, price } = kept
  return { ...(usage === undefined ? {} : { usage }), ...(price === undefined ? {} : { price }) }
}

function whoSays({ by, reason }: Word): Pick<Word, 'by' | 'reason'> {
  return {
    ...(by === undefined || by === null ? {} : { by: storableText(by) }),
    ...(reason === undefined || reason === null ? {} : { reason: storableText(reason) }),
  }
}

function journalCharge(
  ledger: Ledger,
  record: ReservationRecord,
  kind: 'settled' | 'released' | 'corrected' | 'assumed',
  word: Word,
): void {
  const { id, scope, charged, state, sequence } = record
  ledger.changes?.charged(record)
  ledger.changes?.append(scope, {
    kind,
    at: word.atMs,
    scope: scope.id,
    reservation: id,
    charged: charged ?? NOTHING,
    state,
    sequence,
    ...pricedBy(record),
    ...whoSays(word),
  })
}

function finish(
  ledger: Ledger,
  record: ReservationRecord,
  state: 'settled' | 'released' | 'assumed',
  charge: Charge,
  word: Word,
): SettleOutcome {
  const isFirst = record.state === 'open'
  const transition = isFirst ? 'first' : transitionTo(record.state, record.charged ?? NOTHING, charge.charged, state)
  if (transition === 'duplicate') {
    return { kind: 'duplicate', charged: amountsFromVector(record.charged ?? NOTHING), crossings: record.crossings }
  }
  if (transition === 'conflict') {
    return { kind: 'conflict', state: record.state, charged: amountsFromVector(record.charged ?? NOTHING) }
  }
  const before = record.charged
  const { crossings, alerts } = chargeOnPath(record, before, charge.charged, ledger.alerts)
  record.state = state
  record.charged = charge.charged
  record.crossings = crossings
  record.result = resultFor(word.result ?? record.result, charge.charged)
  if (transition === 'correction') recordCorrection(ledger, record, before ?? NOTHING, word.atMs)
  else recordEnd(ledger, record, word.atMs)
  if (charge.anomalies.length > 0) recordAnomalies(ledger, record, charge.anomalies, word.atMs)
  if (crossings.length > 0) recordCrossings(ledger, record.scope.rootToSelf, crossings, word.atMs)
  for (const alert of alerts) raiseAlert(ledger, alert, word.atMs)
  watchRates(ledger, record.scope, before, charge.charged, word.atMs)
  const kind = transition === 'correction' ? 'corrected' : state
  if (ledger.changes !== null) journalCharge(ledger, record, kind, word)
  return {
    kind,
    scopeId: record.scope.id,
    charged: amountsFromVector(charge.charged),
    overrun: overrunOver(record.reserved, charge.charged),
    anomalies: charge.anomalies,
    crossings,
  }
}

/** Costs that don't add up to the charge are dropped: a person corrected it, or they were wrong. */
function resultFor(result: CallResult | null, charged: AmountVector): CallResult | null {
  if (result?.costs === undefined) return result
  const costs = keptCosts(result.costs)
  if (costs !== null && totalOf(costs) === charged[COST]) return result
  const { costs: _, ...rest } = result
  return rest
}

const COST = counterIndex('cost')
const NO_OVERRUN: Amounts = {}

function overrunOver(reserved: AmountVector, charged: AmountVector): Amounts {
  let isOver = false
  for (let index = 0; index < charged.length; index++) if (charged[index]! > reserved[index]!) isOver = true
  if (!isOver) return NO_OVERRUN
  return amountsFromVector(charged.map((amount, index) => Math.max(0, amount - reserved[index]!)))
}
