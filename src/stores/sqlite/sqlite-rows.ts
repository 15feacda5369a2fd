import type { ScopeFilter } from '../../core/index.ts'
import { headFromRow } from '../records/journal/journal.ts'
import { MOST_LISTED, type RowSource } from '../records/row-source.ts'
import { columnsOf } from '../records/rows/columns-of.ts'
import type { StoredScope } from '../records/rows/scope-row.ts'
import type { SqlRow, SqlValue } from '../records/rows/sql-row.ts'
import { assumedOnly } from '../records/tables/stored-history.ts'
import type { Statement } from './database/index.ts'
import { readStored } from './read-stored.ts'
import type { Statements } from './statements.ts'

const SCOPES = columnsOf('scopes')
const CALLS = columnsOf('calls')

/** The rows of a ledger file. */
export interface SqliteRows extends RowSource {
  /** Whether the reservation is in the table from before calls had their own. */
  isOldCall(id: string): boolean
}

/** Reads rows on demand, inside the open transaction. */
export function createSqliteRows(statements: Statements): SqliteRows {
  // Rows from before calls had their own table only become fewer: once there are none, they aren't looked for.
  let hasOld: boolean | null = null
  const old = new Set<string>()

  function storedCall(id: string): SqlRow | undefined {
    const row = statements.call.get(id)
    if (row !== undefined) return row
    hasOld ??= statements.anyOldCall.get() !== undefined
    return hasOld ? statements.oldCall.get(id) : undefined
  }

  /** Remembers which of them are old. */
  function noted(row: SqlRow): SqlRow {
    if (row.is_old === 1) old.add(CALLS.text(row, 'id'))
    return row
  }

  const ids = (statement: Statement, ...parameters: readonly SqlValue[]): readonly string[] =>
    statement.all(...parameters).map((row) => SCOPES.text(row, 'id'))

  return {
    isOldCall: (id) => old.has(id),
    scope: (id) => readScope(statements, id),
    scopesBelow: (id) => ids(statements.scopesBelow, id),
    scopesOwnedBy: (holder) => ids(statements.scopesOwned, holder),
    owners: () => statements.owners.all().map((row) => SCOPES.text(row, 'owner')),
    scopesListed: ({ most = MOST_LISTED, endedSinceMs, ...filter }) =>
      listScopes(statements, filter, most, endedSinceMs).map((row) => SCOPES.text(row, 'id')),
    call(id) {
      const row = readStored('calls', id, () => storedCall(id))
      return row === undefined ? undefined : noted(row)
    },
    callsOpenOf: (holder) => statements.callsOpen.all(holder, holder).map(noted),
    callHolders: () => statements.holders.all().map((row) => CALLS.text(row, 'holder')),
    callsListed({ state, scopeId = null, holder = null, most = MOST_LISTED }) {
      const isFinished = state !== 'open' && state !== 'assumed'
      const { callsListed, callsListedOf, callsListedUnfinished } = statements
      if (!isFinished) {
        return callsListedUnfinished.all(state, state, scopeId, scopeId, holder, holder, most).map(noted)
      }
      if (scopeId === null) return callsListed.all(state, holder, holder, most).map(noted)
      return callsListedOf.all(scopeId, scopeId, state, holder, holder, most).map(noted)
    },
    request: (id) => statements.request.get(id),
    requestOpenFor: (limitKey) => statements.requestOpenFor.get(limitKey),
    requestsOpenOf: (scopeId) => statements.requestsOpenOf.all(scopeId),
    requestsListed: ({ status = null, requestId = null, most = MOST_LISTED }) =>
      statements.requestsListed.all(status, status, requestId, requestId, most),
    key: (id) => statements.key.get(id),
    keyByHash: (hash) => statements.keyByHash.get(hash),
    keysListed: ({ scopeId = null, most = MOST_LISTED }) => statements.keysListed.all(scopeId, scopeId, most),
    holder: (holder) => readStored('holders', holder, () => statements.holder.get(holder)),
    document: (scopeId) => statements.document.get(scopeId),
    kept: (name) => statements.kept.get(name),
    denials: (scopeId) => statements.denials.all(scopeId),
    events(range) {
      const kinds = range.kinds === null ? null : JSON.stringify([...range.kinds])
      const { scope, after, before, most } = range
      const place = scope.parent === null ? 'OfRoot' : 'Below'
      return statements[`events${place}${range.latest ? 'Last' : 'First'}`].all(
        scope.id,
        after,
        before,
        kinds,
        kinds,
        most,
      )
    },
    historyCalls(range, by) {
      const rest = [range.after, range.before, ...twice(assumedOnly(range)), range.most]
      const { id, parent } = range.scope
      const what = by === 'end' ? 'ends' : 'corrections'
      const side = range.latest ? 'Last' : 'First'
      if (parent === null) return statements[`${what}OfRoot${side}`].all(id, ...rest)
      // Few calls are sorted; for many calls, and for corrections, the numbers of the whole tree are scanned.
      if (what === 'ends' && !hasManyCalls(statements, id)) return statements[`endsBelow${side}`].all(id, ...rest)
      return statements[`${what}Among${side}`].all(id, id, ...rest)
    },
    forgotten(rootId) {
      const row = statements.forgotten.get(rootId)
      return row === undefined ? 0 : SCOPES.integer(row, 'forgotten')
    },
    chainHead: (rootId) => headFromRow(statements.journalHead.get(rootId)),
  }
}

function readScope(statements: Statements, id: string): StoredScope | undefined {
  const row = readStored('scopes', id, () => statements.scope.get(id))
  if (row === undefined) return undefined
  return {
    row,
    counters: readStored('counters', id, () => statements.counters.all(id)),
    holdsOn: readStored('holds', id, () => statements.holdsOn.all(id)),
    holdsOf: readStored('holds', id, () => statements.holdsOf.all(id)),
  }
}

/** Uses the narrowest index available. */
function listScopes(
  statements: Statements,
  filter: ScopeFilter,
  most: number,
  endedSinceMs: number | undefined,
): readonly SqlRow[] {
  const { standing, parentId, path, idPrefix } = filter
  const {
    scopesListed,
    scopesListedAt: at,
    scopesListedBelow: below,
    scopesListedFrom: from,
    scopesListedOpen: open,
    scopesListedOpenBelow: openBelow,
  } = statements
  const rest = [...meantParameters(filter), Math.min(most, Number.MAX_SAFE_INTEGER)]
  // The path has no index in combination with the end: the few that match are compared.
  if (endedSinceMs !== undefined) return endedScopes(statements, [endedSinceMs, ...rest], most)
  if (path !== undefined) return at.all(JSON.stringify(path.split('/')), ...rest)
  if (idPrefix !== undefined) return from.all(idPrefix, `${idPrefix}${LAST_ENDING}`, ...rest)
  if (parentId !== undefined) return (standing === 'open' ? openBelow : below).all(parentId, ...rest)
  return standing === 'open' ? open.all(...rest) : scopesListed.all(...rest)
}

/** The last to end comes first; of two that ended together, the one opened last. */
function endedScopes(
  { scopesListedEnded, scopesListedEndedBefore }: Statements,
  parameters: readonly SqlValue[],
  most: number,
): readonly SqlRow[] {
  const before = scopesListedEndedBefore.all(...parameters)
  const ended = scopesListedEnded.all(...parameters)
  if (before.length === 0) return ended
  const endOf = (row: SqlRow): number => SCOPES.integer(row, 'ended_at')
  const ordinalOf = (row: SqlRow): number => SCOPES.integer(row, 'ordinal')
  return [...ended, ...before]
    .sort((left, right) => endOf(right) - endOf(left) || ordinalOf(right) - ordinalOf(left))
    .slice(0, most)
}

// Sorts after every possible rest of an id, which has at most 1,000 characters.
const LAST_ENDING = '\u{10ffff}'.repeat(1000)

function meantParameters({ standing, parentId, kind, idPrefix }: ScopeFilter): readonly SqlValue[] {
  const ended = standing === 'all' ? 2 : Number(standing === 'ended')
  const [ofKind, start] = [kind ?? null, idPrefix ?? null]
  return [ended, ended, Number(parentId !== undefined), parentId ?? null, ofKind, ofKind, start, start, start]
}

const MANY_CALLS = 2_000

function hasManyCalls(statements: Statements, scopeId: string): boolean {
  return CALLS.integer(statements.callsBelow.get(scopeId, MANY_CALLS)!, 'number') === MANY_CALLS
}

function twice(value: SqlValue): readonly SqlValue[] {
  return [value, value]
}
