import { UnknownScopeError } from '../../core/index.ts'
import { type AgingMap, createAgingMap } from './aging-map.ts'
import type { ReservationRecord } from './reservation-record.ts'
import type { ScopeState } from './scope-state.ts'

/** Everything that one memory store knows. */
export interface Ledger {
  readonly scopes: Map<string, ScopeState>
  /** The ids of closed scopes, the oldest first: those beyond the bound are forgotten. */
  readonly closed: Set<string>
  readonly closedKept: number
  readonly reservations: AgingMap<ReservationRecord>
  /** Ascending with every change that later ones must be told apart from. */
  sequence: number
}

export interface MemoryStoreOptions {
  /** How many finished reservations are remembered at least, to recognise what is sent twice. */
  readonly finishedReservationsKept?: number
  /** How many closed scopes can be read at least. */
  readonly closedScopesKept?: number
}

const FINISHED_RESERVATIONS_KEPT = 1_000
const CLOSED_SCOPES_KEPT = 10_000

/** An empty ledger. What it forgets are records: totals stay where they were added up. */
export function createLedger(options: MemoryStoreOptions): Ledger {
  return {
    scopes: new Map(),
    closed: new Set(),
    closedKept: options.closedScopesKept ?? CLOSED_SCOPES_KEPT,
    reservations: createAgingMap(
      options.finishedReservationsKept ?? FINISHED_RESERVATIONS_KEPT,
      ({ state }) => state === 'open' || state === 'assumed',
    ),
    sequence: 0,
  }
}

/** The scope with this id, or `UnknownScopeError`. */
export function scopeIn(ledger: Ledger, scopeId: string): ScopeState {
  const scope = ledger.scopes.get(scopeId)
  if (scope === undefined) throw new UnknownScopeError(scopeId)
  return scope
}

/** Remembers that a scope was closed, and forgets the one that was closed longest ago where there are too many. */
export function rememberClosed(ledger: Ledger, scopeId: string): void {
  ledger.closed.add(scopeId)
  if (ledger.closed.size <= ledger.closedKept) return
  const [oldest] = ledger.closed
  ledger.closed.delete(oldest!)
  ledger.scopes.delete(oldest!)
}
