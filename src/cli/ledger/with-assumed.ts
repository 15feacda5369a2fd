import {
  assumedAmount,
  COUNTER_METERS,
  isCounterMeter,
  type LedgerStore,
  type ReservationReading,
  type ScopeReading,
} from '../../core/index.ts'

const MOST_LISTED = 10_000

/** Scopes with how much of what they have settled is only assumed: one more look at the ledger, however many they are. */
export async function withAssumed(
  store: LedgerStore,
  scopes: readonly ScopeReading[],
  atMs: number,
): Promise<readonly ScopeReading[]> {
  if (scopes.length === 0) return scopes
  const assumed = await store.reservations({ state: 'assumed', most: MOST_LISTED })
  return assumed.length === 0 ? scopes : scopes.map((scope) => fillIn(scope, assumed, atMs))
}

function fillIn(scope: ScopeReading, assumed: readonly ReservationReading[], atMs: number): ScopeReading {
  const own = assumed.filter(({ scopeIds }) => scopeIds.includes(scope.id))
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
