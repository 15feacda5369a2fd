import {
  type Amounts,
  type ReservationReading,
  reportInPhase,
  type SettleOutcome,
  StintError,
} from '../../core/index.ts'
import { findById } from '../find/find-by-id.ts'
import type { Operator } from '../operator.ts'
import { amountsView } from '../views/amounts-view.ts'
import { reservationView } from '../views/scope-view.ts'
import { type UnseenHolder, unseenHolders, unseenHolderView } from './unseen-holders.ts'
import { MOST_ASSUMED } from './with-assumed.ts'

export interface AssumedList {
  readonly reservations: readonly ReservationReading[]
  /** How many of them were charged only now, because their process turned out to be dead. */
  readonly newlyAssumed: number
  readonly unseen: readonly UnseenHolder[]
}

/** The calls whose usage isn't known, and what is still reserved by processes that cannot be seen from here. */
export async function listAssumed(operator: Operator): Promise<AssumedList> {
  const newlyAssumed = await assumeDead(operator)
  const reservations = await operator.store.reservations({ state: 'assumed', most: MOST_ASSUMED })
  return { reservations, newlyAssumed, unseen: await unseenHolders(operator) }
}

export function assumedListView({ reservations, newlyAssumed, unseen }: AssumedList) {
  return { reservations: reservations.map(reservationView), newlyAssumed, unseen: unseen.map(unseenHolderView) }
}

/** Charges what dead processes left behind, so that it can be looked at and corrected. Returns how many calls. */
async function assumeDead({ store, nowMs, isHolderAlive }: Operator): Promise<number> {
  let count = 0
  for (const { holder, diedAtMs } of await store.holders()) {
    if (diedAtMs !== null || isHolderAlive(holder) !== false) continue
    count += (await store.assume({ holder, atMs: nowMs() })).reservations.length
  }
  return count
}

/** Only one that is assumed: an open reservation is settled by the process that holds it. */
export async function findAssumed(operator: Operator, text: string): Promise<ReservationReading> {
  await assumeDead(operator)
  const assumed = await operator.store.reservations({ state: 'assumed', most: MOST_ASSUMED })
  const remedy = '`stint assumed list` lists them.'
  return findById(assumed, text, { code: 'unknown_reservation', what: 'assumed reservation', remedy })
}

export interface CorrectedReservation {
  readonly id: string
  readonly scopePath: string
  readonly before: Amounts
  readonly charged: Amounts
}

/** Charges what was really used. A meter that is left out stays charged in full. */
export async function settleAssumed(
  { store, by, nowMs }: Operator,
  reservation: ReservationReading,
  actual: Amounts,
  reason: string | undefined,
): Promise<CorrectedReservation> {
  const why = { by, ...(reason === undefined ? {} : { reason }), atMs: nowMs() }
  const settled = reportInPhase(reservation.reserved, actual)
  return corrected(reservation, await store.settle({ reservationId: reservation.id, actual: settled, ...why }))
}

/** Gives it back: nothing was used. */
export async function forgiveAssumed(
  { store, by, nowMs }: Operator,
  reservation: ReservationReading,
  reason: string,
): Promise<CorrectedReservation> {
  return corrected(reservation, await store.release({ reservationId: reservation.id, by, reason, atMs: nowMs() }))
}

function corrected({ id, scopePath, charged }: ReservationReading, outcome: SettleOutcome): CorrectedReservation {
  if (outcome.kind === 'unknown' || outcome.kind === 'conflict') {
    throw new StintError(
      'reservation_conflict',
      `The reservation ${id} has been corrected by someone else in the meantime.`,
    )
  }
  return { id, scopePath, before: charged ?? {}, charged: outcome.charged }
}

export function correctedView({ id, scopePath, before, charged }: CorrectedReservation) {
  return { id, scopePath, before: amountsView(before), charged: amountsView(charged) }
}
