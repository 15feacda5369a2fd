import { type IncreaseRecord, isEnded, type NewScope } from '../../core/index.ts'
import type {
  Ledger,
  RequestShelf,
  ReservationRecord,
  ReservationShelf,
  ScopeShelf,
  ScopeState,
} from '../ledger/index.ts'
import { createScopeState } from '../ledger/scope-state.ts'
import { type ChangeLog, createChangeLog } from './change-log.ts'
import type { SqlRow, SqlValue, Statement } from './database/index.ts'
import type { ChainHead } from './journal.ts'
import type { Statements } from './statements.ts'
import { createHolderShelf } from './stored-holder.ts'
import { createStoredKeyShelf } from './stored-key.ts'
import { reservationFromRow } from './stored-reservation.ts'
import { fillScope } from './stored-scope.ts'
import { readRow, UnreadableRowError } from './unreadable-row-error.ts'
import { WentBackError } from './went-back-error.ts'
import { writeChanges } from './write-changes.ts'

const MOST_LISTED = 10_000
// Scopes that have ended stay in memory until there are so many; then all is read anew when it is asked for.
const ENDED_KEPT = 2_000

/** A ledger whose things are kept in a file. Everything here happens inside a transaction of its store. */
export interface SqliteLedger extends Ledger {
  readonly changes: ChangeLog
  /** Takes in what other processes have written since. The first thing in every transaction. */
  catchUp(): void
  /** Writes what this transaction has changed. The last thing before it is committed. */
  write(): void
  /** What was written is in the file now, and must be found there from now on. */
  committed(): void
  /** What is in memory may not be what is stored: forgets it. */
  forget(): void
  /** How many transactions the ledger has seen, from everybody. */
  readonly change: number
}

/** What is read stays in memory for the next operations, as long as nobody else writes it. */
export function createSqliteLedger(statements: Statements): SqliteLedger {
  const changes = createChangeLog()
  const heads = new Map<string, ChainHead>()
  const scopes = createScopeShelf(statements, changes, write)
  const reservations = createReservationShelf(statements, scopes, write)
  const holders = createHolderShelf(statements, changes)
  let change = NOTHING_READ
  // The most that the file has ever said, also where what was read since is forgotten.
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
    requests: createRequestShelf(statements, write),
    keys: createStoredKeyShelf(statements, write),
    holders,
    sequence: 0,
    get change() {
      return change
    },
    document: (scopeId) =>
      changes.documents.get(scopeId) ?? (statements.document.get(scopeId)?.body as string | undefined) ?? null,
    setDocument: (scopeId, text) => changes.document(scopeId, text),
    steered: (scope) => changes.steered.add(scope),
    catchUp() {
      const row = statements.ledger.get()!
      if ((row.change as number) < seen) wentBack ??= new WentBackError(row.change as number, seen)
      if (wentBack !== null) throw wentBack
      seen = row.change as number
      if (scopes.endedCount > ENDED_KEPT || (row.pruned as number) > change) forget()
      if (row.change === change) return
      ledger.sequence = row.sequence as number
      if (change !== NOTHING_READ) scopes.readAgain(statements.scopesChanged.all(change))
      reservations.clear()
      holders.clear()
      heads.clear()
      change = row.change as number
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

interface CachedScopes extends ScopeShelf {
  /** The scope with this id. It must be there. */
  known(id: string): ScopeState
  readonly endedCount: number
  readAgain(rows: readonly SqlRow[]): void
  clear(): void
}

/** Whatever looks for more than one thing by its id must `write` first: the file does not know the latest. */
function createScopeShelf(statements: Statements, changes: ChangeLog, write: () => void): CachedScopes {
  const cached = new Map<string, ScopeState>()
  let endedCount = 0

  function get(id: string): ScopeState | undefined {
    const here = cached.get(id)
    if (here !== undefined) return here
    const row = readRow('scopes', id, () => statements.scope.get(id))
    if (row === undefined) return undefined
    const scope = readRow('scopes', id, () => {
      const parent = row.parent === null ? null : known(row.parent as string)
      return createScopeState(parent, identityFrom(row), row.opened_at as number, changes)
    })
    fill(scope, row)
    cached.set(id, scope)
    if (isEnded(scope.status)) endedCount++
    return scope
  }

  // One that is named elsewhere and is not there, or that its index does not find.
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
    return statement.all(...parameters).map(({ id }) => known(id as string))
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
      return statements.owners.all().map(({ owner }) => owner as string)
    },
    list({ standing, parentId, most = MOST_LISTED }) {
      const ended = standing === 'all' ? 2 : Number(standing === 'ended')
      return found(statements.scopesListed, ended, ended, Number(parentId !== undefined), parentId ?? null, most)
    },
    readAgain(rows) {
      for (const row of rows) {
        const scope = cached.get(row.id as string)
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

/** Who a stored scope is. */
export function identityFrom(row: SqlRow): Omit<NewScope, 'limits'> {
  const { id, name, kind, owner, labels } = row
  return {
    id: id as string,
    name: name as string,
    kind: kind as NewScope['kind'],
    owner: owner as string | null,
    labels: JSON.parse(labels as string) as Record<string, string>,
  }
}

interface CachedReservations extends ReservationShelf {
  /** Those that are finished need not stay in memory. */
  drop(written: Iterable<ReservationRecord>): void
  clear(): void
}

function createReservationShelf(statements: Statements, scopes: CachedScopes, write: () => void): CachedReservations {
  const cached = new Map<string, ReservationRecord>()

  function from(row: SqlRow): ReservationRecord {
    const known = cached.get(row.id as string)
    if (known !== undefined) return known
    const record = readRow('reservations', row.id as string, () =>
      reservationFromRow(row, scopes.known(row.scope as string)),
    )
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
      const row = readRow('reservations', id, () => statements.reservation.get(id))
      return row === undefined ? undefined : from(row)
    },
    add(record) {
      cached.set(record.id, record)
    },
    openOf: (holder) => found(statements.reservationsOpen, holder),
    holders() {
      write()
      return statements.holders.all().map(({ holder }) => holder as string)
    },
    list({ state, scopeId = null, holder = null, most = MOST_LISTED }) {
      const isFinished = state !== 'open' && state !== 'assumed'
      const listed = isFinished ? statements.reservationsListed : statements.reservationsListedUnfinished
      return found(listed, state, scopeId, scopeId, holder, holder, most)
    },
    drop(written) {
      for (const { id, state } of written) if (state !== 'open') cached.delete(id)
    },
    clear: () => cached.clear(),
  }
}

function createRequestShelf(statements: Statements, write: () => void): RequestShelf {
  function found(statement: Statement, ...parameters: readonly SqlValue[]): readonly IncreaseRecord[] {
    write()
    return statement.all(...parameters).map(({ id, body }) => {
      return readRow('requests', id as string, () => JSON.parse(body as string) as IncreaseRecord)
    })
  }
  return {
    get: (id) => found(statements.request, id)[0],
    // Written down by whoever noted the change.
    set() {},
    openFor: (key) => found(statements.requestOpenFor, key)[0],
    openOf: (scopeId) => found(statements.requestsOpenOf, scopeId),
    list: ({ status = null, requestId = null, most = MOST_LISTED }) =>
      found(statements.requestsListed, status, status, requestId, requestId, most),
  }
}
