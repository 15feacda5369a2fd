import type { ReportedAmounts, SettleOutcome } from '../../../src/core/index.ts'
import { demand } from '../world/violation.ts'
import type { Seen } from './apply-operation.ts'
import { foresee } from './compare-history.ts'
import { COUNTERS, type Vector, vectorFrom, zeros } from './meters.ts'
import type { WitnessReservation } from './records.ts'
import { count } from './tallies.ts'
import type { Books } from './witness.ts'

/** A settlement charges what was used, once: what is unknown in full, and never less than the provider said. */
export function seeSettle(books: Books, { request, outcome }: Seen<'settle'>): void {
  const record = books.reservations.get(request.reservationId)
  if (record === undefined) {
    demand(outcome.kind === 'unknown', 'settled once', () => `${request.reservationId} was settled and never granted`)
    return
  }
  if (request.hold !== undefined) record.scope.mayHold = true
  // A person who corrects what was assumed has evidence of their own.
  const charged = chargeFor(record.amounts, request.actual)
  const isGuess = request.assumed === true
  if (request.by === undefined) demandTruth(record, charged, isGuess)
  const kind = isGuess ? 'assumed' : 'settled'
  finish(books, record, { kind, charged, isTold: true }, outcome, request.atMs)
}

/** Room is given back only where nothing was sent. */
export function seeRelease(books: Books, { request, outcome }: Seen<'release'>): void {
  const record = books.reservations.get(request.reservationId)
  if (record === undefined) {
    demand(outcome.kind === 'unknown', 'settled once', () => `${request.reservationId} was released and never granted`)
    return
  }
  if (request.hold !== undefined) record.scope.mayHold = true
  demand(record.expected.kind === 'nothing', 'no lost money', () => {
    return `${record.id} was given back, but it was sent and may have cost ${record.amounts}`
  })
  // What was never sent is no event; but that a charge is taken back is.
  const isTold = record.state !== 'open' || request.result?.ending === 'refused'
  finish(books, record, { kind: 'released', charged: zeros(), isTold }, outcome, request.atMs)
}

function demandTruth(record: WitnessReservation, charged: Vector, isGuess: boolean): void {
  const { id, amounts, expected, isUsed, isKnown } = record
  demand(isGuess === !isKnown, 'assumed is said', () => {
    return `${id} was ${isGuess ? 'assumed' : 'settled'}, but how it ended is ${isKnown ? '' : 'not '}known`
  })
  if (expected.kind === 'nothing') {
    demand(!isUsed, 'no lost money', () => `${id} was charged ${charged}, but nothing was generated`)
    return
  }
  const due = expected.kind === 'worst' ? amounts : expected.amounts
  demand(String(due) === String(charged), 'no lost money', () => {
    return `${id} was charged ${charged}, but ${expected.kind === 'worst' ? 'its worst case' : 'its usage'} is ${due}`
  })
}

interface End {
  readonly kind: 'settled' | 'released' | 'assumed'
  readonly charged: Vector
  /** Whether it is an event of the history. */
  readonly isTold: boolean
}

function finish(books: Books, record: WitnessReservation, end: End, outcome: SettleOutcome, atMs: number): void {
  const expected = expectedKind(record, end)
  demand(outcome.kind === expected, 'settled once', () => {
    return `${record.id} is ${record.state}, and to be ${end.kind} it was ${outcome.kind} instead of ${expected}`
  })
  if (expected !== 'duplicate' && expected !== 'conflict') {
    if ('charged' in outcome) {
      const { charged } = outcome
      const isSame = String(vectorFrom(charged)) === String(end.charged)
      demand(isSame, 'settled once', () => `${record.id} was charged ${JSON.stringify(charged)} for ${end.charged}`)
    }
    charge(record, end.charged, end.kind)
    if (end.isTold) foresee(books, end.kind === 'assumed' ? 'reservation_assumed' : 'call_settled', record.id)
  }
  books.touch(record.scope.id, atMs)
}

function expectedKind(record: WitnessReservation, { kind, charged }: End): SettleOutcome['kind'] {
  if (record.state === 'open') return kind
  const isSame = String(record.charged) === String(charged)
  if (record.state === 'assumed') return kind === 'assumed' && isSame ? 'duplicate' : 'corrected'
  return isSame ? 'duplicate' : 'conflict'
}

/** Takes a reservation from what it was charged so far to what it is charged now. */
export function charge(record: WitnessReservation, charged: Vector, state: WitnessReservation['state']): void {
  const { scope, atMs, amounts } = record
  if (record.charged === null) count(scope.path, 'reserved', amounts, atMs, -1)
  else count(scope.path, 'settled', record.charged, atMs, -1)
  count(scope.path, 'settled', charged, atMs)
  record.charged = charged
  record.state = state
}

/** Law 4: what is unknown or malformed is charged as it was reserved. */
function chargeFor(reserved: Vector, actual: ReportedAmounts | null | undefined): Vector {
  if (actual === null || actual === undefined) return reserved
  return COUNTERS.map((meter, index) => {
    const value = actual[meter]
    return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : reserved[index]!
  })
}
