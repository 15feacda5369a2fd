import { type Amounts, InvalidOptionError } from '../../core/index.ts'
import type { Scope } from '../governor.ts'
import { lookAtScope } from '../scope/find-scope.ts'
import { runtimeBehind } from '../scope/scope-handle.ts'

/** Room that somebody has set aside in the ledger of a scope, there or in another process. */
export interface FoundReservation {
  readonly id: string
  readonly scopeId: string
  readonly amounts: Amounts
}

/** The open reservation with this id, if it is one of `scope` or of a scope below it; `null` otherwise. */
export async function findReservation(scope: Scope, reservationId: string): Promise<FoundReservation | null> {
  const runtime = runtimeBehind(scope)
  if (runtime === null) throw new InvalidOptionError('findReservation(scope)', scope, 'a scope of a governor')
  const { context } = runtime
  const [found] = await context.store.reservations({ state: 'open', reservationId, most: 1 })
  if (found === undefined) return null
  const { id, scopeId, reserved: amounts } = found
  const holder = await lookAtScope(context, scopeId)
  const isWithin = holder?.rootToSelf.some((each) => each.id === scope.id) === true
  return isWithin ? { id, scopeId, amounts } : null
}
