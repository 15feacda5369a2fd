import type { Amounts } from '../../core/index.ts'
import { lookAtScope } from '../scope/find-scope.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'

/** A reservation in the ledger of a scope, made here or in another process. */
export interface FoundReservation {
  readonly id: string
  readonly scopeId: string
  readonly amounts: Amounts
}

/** The open reservation with this id, if it belongs to this scope or one below it; `null` otherwise. */
export async function findReservation(
  { context, id: scopeId }: ScopeRuntime,
  reservationId: string,
): Promise<FoundReservation | null> {
  const [found] = await context.store.reservations({ state: 'open', reservationId, most: 1 })
  if (found === undefined) return null
  const payer = await lookAtScope(context, found.scopeId)
  const isWithin = payer?.rootToSelf.some(({ id }) => id === scopeId) === true
  return isWithin ? { id: found.id, scopeId: found.scopeId, amounts: found.reserved } : null
}
