import type { IncreaseRecord, ReservationReading } from '../../core/index.ts'
import type { Operator } from '../operator.ts'
import { requestView, reservationView, scopeView } from '../views/scope-view.ts'
import { type ScopeDetails, scopeDetails } from './scope-details.ts'

/** Everything that the ledger has about one scope. */
export interface ShownScope {
  readonly scope: ScopeDetails
  /** The root first. */
  readonly ancestors: readonly ScopeDetails[]
  readonly open: readonly ReservationReading[]
  /** Also those of the scopes below: they are charged to it as well. */
  readonly assumed: readonly ReservationReading[]
  readonly requests: readonly IncreaseRecord[]
}

const MOST_RESERVATIONS = 1000

export async function showScope(operator: Operator, scopeId: string): Promise<ShownScope> {
  const { store, nowMs } = operator
  const path = await scopeDetails(operator, (await store.read({ scopeId, atMs: nowMs() }))!)
  const most = MOST_RESERVATIONS
  return {
    scope: path.at(-1)!,
    ancestors: path.slice(0, -1),
    open: await store.reservations({ state: 'open', scopeId, most }),
    assumed: await store.reservations({ state: 'assumed', withinId: scopeId, most }),
    requests: (await store.requests({})).filter((request) => request.scopeId === scopeId),
  }
}

export function shownScopeView({ scope, ancestors, open, assumed, requests }: ShownScope) {
  return {
    scope: scopeView(scope),
    ancestors: ancestors.map(scopeView),
    reservations: { open: open.map(reservationView), assumed: assumed.map(reservationView) },
    requests: requests.map(requestView),
  }
}
