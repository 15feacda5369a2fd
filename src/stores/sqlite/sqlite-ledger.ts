import {
  type IncreaseRecord,
  isEnded,
  type NewScope,
  SCOPE_KINDS,
  type ScopeAbout,
  type ScopeFilter,
} from '../../core/index.ts'
import type {
  Ledger,
  RequestTable,
  ReservationRecord,
  ReservationTable,
  ScopeState,
  ScopeTable,
} from '../ledger/index.ts'
import { createScopeState } from '../ledger/state/scope-state.ts'
import { type ChangeLog, createChangeLog } from './change-log.ts'
import type { SqlRow, SqlValue, Statement } from './database/index.ts'
import type { ChainHead } from './journal.ts'
import { columnsOf } from './rows/columns-of.ts'
import { createStoredHistory } from './rows/stored-history.ts'
import { createHolderTable } from './rows/stored-holder.ts'
import { createStoredKeyTable } from './rows/stored-key.ts'
import { reservationFromRow } from './rows/stored-reservation.ts'
import { fillScope } from './rows/stored-scope.ts'
import type { Statements } from './statements.ts'
import { readRow, UnreadableRowError } from './verify/unreadable-row-error.ts'
import { WentBackError } from './verify/went-back-error.ts'
import { writeChanges } from './write-changes.ts'

const LEDGER = columnsOf('ledger')
const SCOPES = columnsOf('scopes')
const CALLS = columnsOf('calls')
const REQUESTS = columnsOf('requests')
const DOCUMENTS = columnsOf('documents')

const MOST_LISTED = 10_000
// Ended scopes stay in memory up to this number; then everything is dropped and read again on demand.
const ENDED_KEPT = 2_000

/** A ledger whose records are in a file. Everything here happens inside a transaction of its store. */
export interface SqliteLedger extends Ledger {
  readonly changes: ChangeLog
  /** Reads what other processes have written. Comes first in every transaction. */
  catchUp(): void
  /** Writes what this transaction has changed. Comes last before the commit. */
  write(): void
  /** The changes are in the file now and must be present from now on. */
  committed(): void
  /** Drops everything in memory, which may differ from what is stored. */
  forget(): void
  /** The number of transactions that the ledger has seen, from all processes. */
  readonly change: number
}

/** Records stay in memory for later operations until another process changes them. */
export function createSqliteLedger(statements: Statements): SqliteLedger {
  const changes = createChangeLog()
  const heads = new Map<string, ChainHead>()
  const scopes = createScopeTable(statements, changes, write)
  const reservations = createReservationTable(statements, scopes, write)
  const holders = createHolderTable(statements, changes)
  let change = NOTHING_READ
  // The highest value that the file has ever had, even if what was read is dropped.
  let seen = NOTHING_READ
  let wentBack: WentBackError | null = null

  function write(): void {
    if (changes.isEmpty) return
    writeChanges(statements, heads, changes, { sequence: ledger.sequence, change: change + 1 })
    change++
    reservations.drop(changes.newReservations)
    reservations.drop(changes.chargedReservations)
    changes.clear()
  }

  function forget(): void {
    changes.clear()
    heads.clear()
    scopes.clear()
    reservations.clear()
    holders.clear()
    change = NOTHING_READ
  }

  const ledger: SqliteLedger = {
    changes,
    scopes,
    reservations,
    requests: createRequestTable(statements, write),
    keys: createStoredKeyTable(statements, write),
    holders,
    history: createStoredHistory({ statements, changes, write, reservationFrom: reservations.read }),
    sequence: 0,
    get change() {
      return change
    },
    document(scopeId) {
      const noted = changes.documents.get(scopeId)
      if (noted !== undefined) return noted
      const row = statements.document.get(scopeId)
      return row === undefined ? null : DOCUMENTS.text(row, 'body')
    },
    setDocument: (scopeId, text) => changes.document(scopeId, text),
    steered: (scope) => changes.steered.add(scope),
    catchUp() {
      const row = statements.ledger.get()!
      const stored = LEDGER.integer(row, 'change')
      if (stored < seen) wentBack ??= new WentBackError(stored, seen)
      if (wentBack !== null) throw wentBack
      seen = stored
      if (scopes.endedCount > ENDED_KEPT || LEDGER.integer(row, 'pruned') > change) forget()
      if (stored === change) return
      ledger.sequence = LEDGER.integer(row, 'sequence')
      if (change !== NOTHING_READ) scopes.readAgain(statements.scopesChanged.all(change))
      reservations.clear()
      holders.clear()
      heads.clear()
      change = stored
    },
    write,
    committed() {
      seen = change
    },
    forget,
  }
  return ledger
}

const NOTHING_READ = -1

interface CachedScopes extends ScopeTable {
  /** The scope with this id, which must exist. */
  known(id: string): ScopeState
  readonly endedCount: number
  readAgain(rows: readonly SqlRow[]): void
  clear(): void
}

/** Every lookup other than by id must `write` first: the file doesn't have pending changes. */
function createScopeTable(statements: Statements, changes: ChangeLog, write: () => void): CachedScopes {
  const cached = new Map<string, ScopeState>()
  let endedCount = 0

  function get(id: string): ScopeState | undefined {
    const here = cached.get(id)
    if (here !== undefined) return here
    const row = readRow('scopes', id, () => statements.scope.get(id))
    if (row === undefined) return undefined
    const scope = readRow('scopes', id, () => {
      const parent = row.parent === null ? null : known(SCOPES.text(row, 'parent'))
      return createScopeState(parent, identityFrom(row), SCOPES.integer(row, 'opened_at'), changes)
    })
    fill(scope, row)
    cached.set(id, scope)
    if (isEnded(scope.status)) endedCount++
    return scope
  }

  // A scope that is referred to and missing, or that its index doesn't find.
  function known(id: string): ScopeState {
    const scope = get(id)
    if (scope === undefined) throw new UnreadableRowError('scopes', id, 'it is missing')
    return scope
  }

  function fill(scope: ScopeState, row: SqlRow): void {
    const { id } = scope
    const counters = readRow('counters', id, () => statements.counters.all(id))
    const holdsOn = readRow('holds', id, () => statements.holdsOn.all(id))
    const holdsOf = readRow('holds', id, () => statements.holdsOf.all(id))
    readRow('scopes', id, () => fillScope(scope, { row, counters, holdsOn, holdsOf }))
  }

  function found(statement: Statement, ...parameters: readonly SqlValue[]): readonly ScopeState[] {
    write()
    return statement.all(...parameters).map((row) => known(SCOPES.text(row, 'id')))
  }

  /** Uses the narrowest index available. */
  function idsOf(filter: ScopeFilter, most: number, endedSinceMs?: number): readonly string[] {
    write()
    const { standing, parentId, path, idPrefix } = filter
    const {
      scopesListed,
      scopesListedAt: at,
      scopesListedBelow: below,
      scopesListedEnded: ended,
      scopesListedFrom: from,
      scopesListedOpen: open,
    } = statements
    const rest = [...meantParameters(filter), Math.min(most, Number.MAX_SAFE_INTEGER)]
    const rows = (): readonly SqlRow[] => {
      // The path has no index beside the end: the few that match are compared.
      if (endedSinceMs !== undefined) return ended.all(endedSinceMs, endedSinceMs, ...rest)
      if (path !== undefined) return at.all(JSON.stringify(path.split('/')), ...rest)
      if (idPrefix !== undefined) return from.all(idPrefix, `${idPrefix}${LAST_ENDING}`, ...rest)
      if (parentId !== undefined) return below.all(parentId, ...rest)
      return standing === 'open' ? open.all(...rest) : scopesListed.all(...rest)
    }
    return rows().map((row) => SCOPES.text(row, 'id'))
  }

  return {
    get endedCount() {
      return endedCount
    },
    get,
    known,
    add(scope) {
      cached.set(scope.id, scope)
    },
    ended() {
      endedCount++
    },
    openBelow: ({ id }) => found(statements.scopesBelow, id),
    ownedBy: (holder) => found(statements.scopesOwned, holder),
    owners() {
      write()
      return statements.owners.all().map((row) => SCOPES.text(row, 'owner'))
    },
    list: ({ most = MOST_LISTED, endedSinceMs, ...filter }) => idsOf(filter, most, endedSinceMs).map(known),
    count: (filter) => idsOf(filter, Number.MAX_SAFE_INTEGER).length,
    readAgain(rows) {
      for (const row of rows) {
        const scope = cached.get(SCOPES.text(row, 'id'))
        if (scope === undefined) continue
        const wasEnded = isEnded(scope.status)
        fill(scope, row)
        if (isEnded(scope.status) && !wasEnded) endedCount++
      }
    },
    clear() {
      cached.clear()
      endedCount = 0
    },
  }
}

// Sorts after every possible rest of an id, which has at most 1,000 characters.
const LAST_ENDING = '\u{10ffff}'.repeat(1000)

function meantParameters({ standing, parentId, kind, idPrefix }: ScopeFilter): readonly SqlValue[] {
  const ended = standing === 'all' ? 2 : Number(standing === 'ended')
  const [ofKind, start] = [kind ?? null, idPrefix ?? null]
  return [ended, ended, Number(parentId !== undefined), parentId ?? null, ofKind, ofKind, start, start, start]
}

/** The identity of a stored scope. */
export function identityFrom(row: SqlRow): Omit<NewScope, 'limits'> {
  return {
    id: SCOPES.text(row, 'id'),
    name: SCOPES.text(row, 'name'),
    kind: SCOPES.oneOf(row, 'kind', SCOPE_KINDS),
    owner: SCOPES.textOrNull(row, 'owner'),
    labels: SCOPES.json<Record<string, string>>(row, 'labels'),
    ...(typeof row.about === 'string' ? { about: SCOPES.json<ScopeAbout>(row, 'about') } : {}),
  }
}

interface CachedReservations extends ReservationTable {
  /** The record of a row. Reading many of them doesn't fill the memory. */
  read(row: SqlRow): ReservationRecord
  /** Finished ones needn't stay in memory. */
  drop(written: Iterable<ReservationRecord>): void
  clear(): void
}

function createReservationTable(statements: Statements, scopes: CachedScopes, write: () => void): CachedReservations {
  const cached = new Map<string, ReservationRecord>()
  // Rows from before calls had a table of their own only become fewer: without any, they aren't looked for.
  let hasOld: boolean | null = null

  function storedRow(id: string): SqlRow | undefined {
    const row = statements.call.get(id)
    if (row !== undefined) return row
    hasOld ??= statements.anyOldCall.get() !== undefined
    return hasOld ? statements.oldCall.get(id) : undefined
  }

  function read(row: SqlRow): ReservationRecord {
    const id = CALLS.text(row, 'id')
    return cached.get(id) ?? readRow('calls', id, () => reservationFromRow(row, scopes.known(CALLS.text(row, 'scope'))))
  }

  function from(row: SqlRow): ReservationRecord {
    const record = read(row)
    cached.set(record.id, record)
    return record
  }

  function found(statement: Statement, ...parameters: readonly SqlValue[]): readonly ReservationRecord[] {
    write()
    return statement.all(...parameters).map(from)
  }

  return {
    get(id) {
      const known = cached.get(id)
      if (known !== undefined) return known
      const row = readRow('calls', id, () => storedRow(id))
      return row === undefined ? undefined : from(row)
    },
    add(record) {
      cached.set(record.id, record)
    },
    read,
    openOf: (holder) => found(statements.callsOpen, holder, holder),
    holders() {
      write()
      return statements.holders.all().map((row) => CALLS.text(row, 'holder'))
    },
    list({ state, scopeId = null, holder = null, most = MOST_LISTED }) {
      const isFinished = state !== 'open' && state !== 'assumed'
      const { callsListed, callsListedOf, callsListedUnfinished } = statements
      if (!isFinished) return found(callsListedUnfinished, state, state, scopeId, scopeId, holder, holder, most)
      if (scopeId === null) return found(callsListed, state, holder, holder, most)
      return found(callsListedOf, scopeId, scopeId, state, holder, holder, most)
    },
    drop(written) {
      for (const { id, state } of written) if (state !== 'open') cached.delete(id)
    },
    clear: () => cached.clear(),
  }
}

function createRequestTable(statements: Statements, write: () => void): RequestTable {
  function found(statement: Statement, ...parameters: readonly SqlValue[]): readonly IncreaseRecord[] {
    write()
    return statement.all(...parameters).map((row) => {
      return readRow('requests', REQUESTS.text(row, 'id'), () => REQUESTS.json<IncreaseRecord>(row, 'body'))
    })
  }
  return {
    get: (id) => found(statements.request, id)[0],
    // The change log writes it.
    set() {},
    openFor: (key) => found(statements.requestOpenFor, key)[0],
    openOf: (scopeId) => found(statements.requestsOpenOf, scopeId),
    list: ({ status = null, requestId = null, most = MOST_LISTED }) =>
      found(statements.requestsListed, status, status, requestId, requestId, most),
  }
}
