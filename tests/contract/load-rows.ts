import type { Needs } from '../../src/stores/operations/needs.ts'
import type { HistoryRange } from '../../src/stores/operations/state/ledger.ts'
import type { SqlRow, SqlValue } from '../../src/stores/records/rows/sql-row.ts'
import { createStoredLedger } from '../../src/stores/records/stored-ledger.ts'
import type { Database } from '../../src/stores/sqlite/database/index.ts'
import { createSqliteRows } from '../../src/stores/sqlite/sqlite-rows.ts'
import type { Statements } from '../../src/stores/sqlite/statements.ts'
import type { Loaded } from './loaded-rows.ts'

/** Loads what is needed, and nothing else. */
export function loadRows(database: Database, statements: Statements, needs: Needs): Loaded {
  const source = createSqliteRows(statements)
  const all = (sql: string, ...values: SqlValue[]): readonly SqlRow[] => database.prepare(sql).all(...values)
  const scopes = new Map<string, SqlRow>()
  const calls: SqlRow[] = []
  const requests: SqlRow[] = []
  const keys: SqlRow[] = []

  function addPath(id: SqlValue | undefined): void {
    for (let next = id; typeof next === 'string'; next = scopes.get(next)?.parent) {
      if (scopes.has(next)) return
      const [row] = all('SELECT * FROM scopes WHERE id = ?', next)
      if (row === undefined) return
      scopes.set(next, row)
    }
  }
  function addBelow(id: string): void {
    for (const child of source.scopesBelow(id)) {
      addPath(child)
      addBelow(child)
    }
  }
  const addHolding = (id: string): void => {
    for (const { holder } of all('SELECT DISTINCT holder FROM holds WHERE scope = ?', id)) addPath(holder)
  }
  const addCalls = (rows: readonly (SqlRow | undefined)[]): readonly SqlRow[] => {
    const found = rows.filter((row) => row !== undefined)
    for (const { scope } of found) addPath(scope)
    calls.push(...found)
    return found
  }
  const addRequests = (where: string, value: SqlValue): readonly SqlRow[] => {
    const found = all(`SELECT * FROM requests WHERE ${where}`, value)
    requests.push(...found)
    return found
  }

  for (const id of needs.paths ?? []) addPath(id)
  for (const id of needs.openBelow ?? []) addBelow(id)
  for (const id of needs.holdingOn ?? []) addHolding(id)
  addCalls((needs.reservations ?? []).map(source.call))
  for (const holder of needs.openReservationsOf ?? []) addCalls(source.callsOpenOf(holder))
  for (const holder of needs.ownedBy ?? []) for (const id of source.scopesOwnedBy(holder)) addPath(id)
  for (const id of needs.requests ?? []) {
    for (const { scope } of addRequests('id = ?', id)) {
      addPath(scope)
      addHolding(String(scope))
      addRequests(`status = 'open' AND scope = ?`, scope!)
    }
  }
  for (const key of needs.requestsFor ?? []) addRequests(`status = 'open' AND limit_key = ?`, key)
  for (const id of needs.requestsOf ?? []) addRequests(`status = 'open' AND scope = ?`, id)
  for (const [column, values] of Object.entries({ id: needs.keys ?? [], hash: needs.keyHashes ?? [] })) {
    for (const value of values) keys.push(...all(`SELECT * FROM keys WHERE ${column} = ?`, value))
  }
  for (const { scope } of keys) addPath(scope)

  const busy = needs.busyHolders === true ? { callHolders: source.callHolders(), owners: source.owners() } : {}
  const holderNames = new Set([...(needs.holders ?? []), ...(busy.callHolders ?? []), ...(busy.owners ?? [])])
  const listed = listedFor()
  const history = historyFor()
  const ids = [...scopes.keys()]
  return {
    scopes: [...scopes.values()],
    counters: ids.flatMap((id) => all('SELECT * FROM counters WHERE scope = ?', id)),
    holds: ids.flatMap((id) => all('SELECT * FROM holds WHERE scope = ? OR holder = ?', id, id)),
    calls,
    requests,
    keys,
    holders: [...holderNames].map(source.holder).filter((row) => row !== undefined),
    documents: (needs.documents ?? []).flatMap((id) => all('SELECT * FROM documents WHERE scope = ?', id)),
    kept: (needs.kept ?? []).flatMap((name) => all('SELECT * FROM kept WHERE name = ?', name)),
    journal: ids.flatMap((id) =>
      all('SELECT root, place, hash FROM journal WHERE root = ? ORDER BY place DESC LIMIT 1', id),
    ),
    ...(needs.denialsOf === undefined ? {} : { denials: source.denials(needs.denialsOf) }),
    ...busy,
    ...listed,
    ...history,
  }

  function listedFor(): Loaded {
    const { scopesListed, reservationsListed, requestsListed, keysListed } = needs
    if (scopesListed !== undefined) {
      const found = source.scopesListed(scopesListed)
      found.forEach(addPath)
      return { listed: found.map((id) => ({ id })) }
    }
    if (reservationsListed !== undefined) {
      const { withinId, most, ...rest } = reservationsListed
      const filter = withinId === undefined ? reservationsListed : { ...rest, most: Number.MAX_SAFE_INTEGER }
      return { listed: addCalls(source.callsListed(filter)) }
    }
    if (requestsListed !== undefined) return { listed: source.requestsListed(requestsListed) }
    return keysListed === undefined ? {} : { listed: source.keysListed(keysListed) }
  }

  function historyFor(): Loaded {
    if (needs.history === undefined) return {}
    const { scopeId, since, before = Number.MAX_SAFE_INTEGER, kinds, most = 1_000, latest = false } = needs.history
    const ledger = createStoredLedger({ source, write: () => {}, flush: () => {} })
    const scope = ledger.scopes.get(scopeId)
    if (scope === undefined) return {}
    const after = since ?? source.forgotten(scope.rootToSelf[0]!.id)
    const meant = kinds === undefined ? null : new Set(kinds)
    const range: HistoryRange = { scope, after, before, kinds: meant, most: most + 1, latest }
    return {
      events: source.events(range),
      ends: addCalls(source.historyCalls(range, 'end')),
      corrections: addCalls(source.historyCalls(range, 'correction')),
    }
  }
}
