import {
  assumedAmount,
  COUNTER_METERS,
  isCounterMeter,
  type ReservationReading,
  type ScopeReading,
} from '../../core/index.ts'
import type { LedgerReader } from '../operator.ts'

/** How many assumed reservations are looked at. */
export const MOST_ASSUMED = 10_000

/**
 * Adds to scopes how much of their settled spend is only assumed. Reads the ledger once, however many scopes there are.
 */
export async function withAssumed(
  { store, nowMs }: LedgerReader,
  scopes: readonly ScopeReading[],
): Promise<readonly ScopeReading[]> {
  if (scopes.length === 0) return scopes
  const byScope = new Map<string, ReservationReading[]>()
  for (const reservation of await store.reservations({ state: 'assumed', most: MOST_ASSUMED })) {
    for (const id of reservation.scopeIds) {
      const own = byScope.get(id)
      if (own === undefined) byScope.set(id, [reservation])
      else own.push(reservation)
    }
  }
  return scopes.map((scope) => fillIn(scope, byScope.get(scope.id) ?? [], nowMs()))
}

function fillIn(scope: ScopeReading, own: readonly ReservationReading[], atMs: number): ScopeReading {
  if (own.length === 0) return scope
  const totals = COUNTER_METERS.map((meter) => {
    return [meter, { ...scope.totals[meter], assumed: assumedAmount(own, scope.id, meter, null, atMs) }] as const
  })
  const limits = scope.limits.map((reading) => {
    const { meter } = reading.limit
    const amount = isCounterMeter(meter) ? assumedAmount(own, scope.id, meter, reading.limit, atMs) : 0
    return { ...reading, assumed: amount }
  })
  return { ...scope, totals: Object.fromEntries(totals) as ScopeReading['totals'], limits }
}
