import { createAgingMap } from '../../core/index.ts'
import { edgeOf, type FoundReservation } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'

/** Reservations that requests bring with them, each for one attempt on the wire. */
export interface CarriedReservations {
  /** What was reserved above us for this request; `null`: it must be reserved here. */
  take(keyScope: Scope, reservationId: string): Promise<FoundReservation | null>
  /** This reservation already pays for a request: that of a call that was admitted here. */
  spend(reservationId: string): void
}

const MOST_REMEMBERED = 10_000

/**
 * A reservation pays for one attempt: a second request that carries it is governed like any other. So is one whose
 * reservation was not made for a model call.
 */
export function createCarriedReservations(): CarriedReservations {
  const spent = createAgingMap<true>(MOST_REMEMBERED)
  const isSpent = (reservationId: string): boolean => spent.get(reservationId) === true
  const spend = (reservationId: string): void => spent.set(reservationId, true)
  return {
    async take(keyScope, reservationId) {
      if (isSpent(reservationId)) return null
      const found = await edgeOf(keyScope).findReservation(reservationId)
      if (found === null || !isOfModelCall(found) || isSpent(reservationId)) return null
      spend(reservationId)
      return found
    },
    spend,
  }
}

function isOfModelCall({ amounts }: FoundReservation): boolean {
  return (amounts.modelCalls ?? 0) > 0 && (amounts.outputTokens ?? 0) > 0
}
