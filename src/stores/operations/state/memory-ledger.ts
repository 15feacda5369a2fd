import { isStorableText } from '../../../core/checks/storable-text.ts'
import {
  createAgingMap,
  type HolderReading,
  type HourSum,
  type IncreaseRecord,
  isEnded,
  type ScopeFilter,
  type SumsRequest,
} from '../../../core/index.ts'
import type { AlertBook } from '../alerts/alert-book.ts'
import { createSumBook } from '../history/sum-book.ts'
import { createKeyTable } from './key-table.ts'
import type { HolderTable, Ledger, RequestTable, ReservationTable, ScopeTable } from './ledger.ts'
import type { ReservationRecord, ScopeState } from './ledger-state.ts'
import { createMemoryHistory, type MemoryHistory } from './memory-history.ts'

export interface MemoryLedgerOptions {
  /** How many finished reservations are kept at least, to recognize repeated requests. */
  readonly finishedReservationsKept?: number
  /** How many closed scopes stay readable at least. */
  readonly closedScopesKept?: number
  /** The alert rules. */
  readonly alerts?: AlertBook
  /** Whether events are recorded. A replay records nothing again. Default: true. */
  readonly hasHistory?: boolean
}

/** A ledger in memory. */
export interface MemoryLedger extends Ledger {
  readonly history: MemoryHistory | null
  /** Hourly sums of charged calls, including dropped ones. */
  sums(request: SumsRequest): readonly HourSum[]
}

const FINISHED_RESERVATIONS_KEPT = 1_000
const CLOSED_SCOPES_KEPT = 10_000
const ANSWERED_REQUESTS_KEPT = 1_000
const HOLDERS_KEPT = 10_000
const MOST_LISTED = 10_000

/** An empty ledger in memory. It drops only old records: totals are stored in the scopes above. */
export function createMemoryLedger(options: MemoryLedgerOptions, steered: (scope: ScopeState) => void): MemoryLedger {
  const documents = new Map<string, string>()
  const kept = new Map<string, string>()
  const keys = createKeyTable()
  const forget = (id: string): void => {
    documents.delete(id)
    keys.forgetScope(id)
  }
  const dropped = createSumBook()
  const finishedKept = options.finishedReservationsKept ?? FINISHED_RESERVATIONS_KEPT
  const reservations = createReservationTable(finishedKept, dropped.add)
  return {
    scopes: createScopeTable(options.closedScopesKept ?? CLOSED_SCOPES_KEPT, forget),
    reservations,
    history: options.hasHistory === false ? null : createMemoryHistory(reservations.all),
    requests: createRequestTable(),
    keys,
    holders: createHolderTable(),
    sums: (request) => dropped.sumsWith(reservations.all(), request),
    changes: null,
    sequence: 0,
    alerts: options.hasHistory === false ? null : (options.alerts ?? null),
    raised: [],
    kept: (name) => kept.get(name) ?? null,
    keep(name, text) {
      kept.set(name, text)
    },
    document: (scopeId) => documents.get(scopeId) ?? null,
    setDocument(scopeId, text) {
      documents.set(scopeId, text)
    },
    dropDocument(scopeId) {
      documents.delete(scopeId)
    },
    steered,
  }
}

function createScopeTable(closedKept: number, forget: (id: string) => void): ScopeTable {
  const scopes = new Map<string, ScopeState>()
  const open = new Map<string, Set<ScopeState>>()
  // Oldest first: those beyond the bound are dropped.
  const closed = new Set<string>()
  return {
    get: (id) => scopes.get(id),
    add(scope) {
      scopes.set(scope.id, scope)
      if (scope.parent === null) return
      const siblings = open.get(scope.parent.id)
      if (siblings === undefined) open.set(scope.parent.id, new Set([scope]))
      else siblings.add(scope)
    },
    ended(scope) {
      const siblings = open.get(scope.parent?.id ?? '')
      siblings?.delete(scope)
      if (siblings?.size === 0) open.delete(scope.parent!.id)
      closed.add(scope.id)
      if (closed.size <= closedKept) return
      const [oldest] = closed
      closed.delete(oldest!)
      scopes.delete(oldest!)
      forget(oldest!)
    },
    openBelow: (scope) => [...(open.get(scope.id) ?? [])],
    ownedBy: (holder) => [...scopes.values()].filter(({ owner, status }) => owner === holder && !isEnded(status)),
    *owners() {
      for (const { owner, status } of scopes.values()) if (owner !== null && !isEnded(status)) yield owner
    },
    *list({ most = MOST_LISTED, endedSinceMs, ...filter }) {
      let left = most
      for (const scope of endedSinceMs === undefined ? scopes.values() : endedSince(scopes.values(), endedSinceMs)) {
        if (left === 0) return
        if (!isMeant(scope, filter)) continue
        left--
        yield scope
      }
    },
    count: (filter) => [...scopes.values()].filter((scope) => isMeant(scope, filter)).length,
  }
}

/** The last to end comes first; of two that ended together, the one opened last. */
function endedSince(scopes: Iterable<ScopeState>, endedSinceMs: number): readonly ScopeState[] {
  const ended = [...scopes].filter(({ closedAtMs }) => closedAtMs !== null && closedAtMs >= endedSinceMs)
  return ended.reverse().sort((left, right) => right.closedAtMs! - left.closedAtMs!)
}

function isMeant(scope: ScopeState, { standing, parentId, kind, path, idPrefix = '' }: ScopeFilter): boolean {
  if (standing !== 'all' && isEnded(scope.status) !== (standing === 'ended')) return false
  if (parentId !== undefined && (scope.parent?.id ?? null) !== parentId) return false
  if ((kind ?? scope.kind) !== scope.kind || (path ?? scope.path) !== scope.path) return false
  // No stored id starts with half a character.
  return scope.id.startsWith(idPrefix) && isStorableText(idPrefix)
}

function createReservationTable(
  finishedKept: number,
  dropped: (record: ReservationRecord) => void,
): ReservationTable & { all(): Iterable<ReservationRecord> } {
  const records = createAgingMap<ReservationRecord>(
    finishedKept,
    ({ state }) => state === 'open' || state === 'assumed',
    dropped,
  )
  return {
    all: records.values,
    get: records.get,
    add: (record) => records.set(record.id, record),
    openOf: (holder) => [...records.values()].filter((each) => each.holder === holder && each.state === 'open'),
    *holders() {
      for (const { holder, state } of records.values()) if (state === 'open') yield holder
    },
    *list({ state, scopeId, holder, most = MOST_LISTED }) {
      let left = most
      for (const record of records.values()) {
        if (left === 0) return
        if (record.state !== state || (scopeId !== undefined && record.scope.id !== scopeId)) continue
        if (holder !== undefined && record.holder !== holder) continue
        left--
        yield record
      }
    },
  }
}

function createRequestTable(): RequestTable {
  const open = new Map<string, IncreaseRecord>()
  const answered = createAgingMap<IncreaseRecord>(ANSWERED_REQUESTS_KEPT)
  const all = (): IncreaseRecord[] => [...answered.values(), ...open.values()]
  return {
    get: (id) => open.get(id) ?? answered.get(id),
    set(request) {
      if (request.status === 'open') open.set(request.id, request)
      else {
        open.delete(request.id)
        answered.set(request.id, request)
      }
    },
    openFor: (key) => [...open.values()].find((request) => request.key === key),
    openOf: (scopeId) => [...open.values()].filter((request) => request.scopeId === scopeId),
    list: ({ status, requestId, most = MOST_LISTED }) =>
      all()
        .filter((request) => (status ?? request.status) === request.status && (requestId ?? request.id) === request.id)
        .toSorted((left, right) => left.openedAtMs - right.openedAtMs || (left.id < right.id ? -1 : 1))
        .slice(0, most),
  }
}

function createHolderTable(): HolderTable {
  const holders = createAgingMap<HolderReading>(HOLDERS_KEPT)
  const keep = (reading: HolderReading): void => holders.set(reading.holder, reading)
  return {
    get: holders.get,
    isDead: (holder) => (holders.get(holder)?.diedAtMs ?? null) !== null,
    beat: keep,
    bury: keep,
  }
}
