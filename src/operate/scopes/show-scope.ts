import type { DenialCount, HistoryEntry, IncreaseRecord, ReservationReading } from '../../core/index.ts'
import { entryView } from '../history/entry-view.ts'
import { readLog } from '../history/read-log.ts'
import type { Operator } from '../operator.ts'
import { requestView, reservationView, scopeView } from '../views/scope-view.ts'
import { type ScopeDetails, scopeDetails } from './scope-details.ts'

/** Everything that the ledger has about one scope. */
export interface ShownScope {
  readonly scope: ScopeDetails
  /** The root first. */
  readonly ancestors: readonly ScopeDetails[]
  readonly open: readonly ReservationReading[]
  /** Includes those of the scopes below, which are charged to it as well. */
  readonly assumed: readonly ReservationReading[]
  readonly requests: readonly IncreaseRecord[]
  /** Its last calls and those of the scopes below, the earliest first. */
  readonly calls: readonly HistoryEntry[]
  /** Whether it made more calls than those. */
  readonly hasMoreCalls: boolean
  /** How often its own limits refused something. */
  readonly denials: readonly DenialCount[]
}

const MOST_RESERVATIONS = 1000

export async function showScope(operator: Operator, scopeId: string): Promise<ShownScope> {
  const { store, nowMs } = operator
  const path = await scopeDetails(operator, (await store.read({ scopeId, atMs: nowMs() }))!)
  const most = MOST_RESERVATIONS
  const question = { scopeId, sinceMs: 0, kinds: ['call_settled', 'reservation_assumed'], most } as const
  const log = await readLog(operator, question)
  return {
    scope: path.at(-1)!,
    ancestors: path.slice(0, -1),
    open: await store.reservations({ state: 'open', scopeId, most }),
    assumed: await store.reservations({ state: 'assumed', withinId: scopeId, most }),
    requests: (await store.requests({})).filter((request) => request.scopeId === scopeId),
    calls: lastOfEachCall(log.entries),
    hasMoreCalls: log.isTruncated,
    denials: await store.denials({ scopeId }),
  }
}

/** A call that was assumed and then corrected has two entries: the later one counts. */
function lastOfEachCall(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const last = new Map(entries.map((entry) => [entry.call?.id, entry]))
  return entries.filter((entry) => entry.call === null || last.get(entry.call.id) === entry)
}

export function shownScopeView({ scope, ancestors, open, assumed, requests, ...rest }: ShownScope) {
  return {
    scope: scopeView(scope),
    ancestors: ancestors.map(scopeView),
    reservations: { open: open.map(reservationView), assumed: assumed.map(reservationView) },
    requests: requests.map(requestView),
    calls: rest.calls.map(entryView),
    hasMoreCalls: rest.hasMoreCalls,
    denials: rest.denials,
  }
}
