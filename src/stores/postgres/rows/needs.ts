import type { KeyFilter, ListFilter, RequestFilter, ReservationFilter } from '../../../core/index.ts'
import type { HistoryRange } from '../../operations/state/ledger.ts'
import { headFromRow } from '../../records/journal/journal.ts'
import { MOST_LISTED } from '../../records/row-source.ts'
import { columnsOf } from '../../records/rows/columns-of.ts'
import type { StoredScope } from '../../records/rows/scope-row.ts'
import type { SqlRow, SqlValue } from '../../records/rows/sql-row.ts'
import { assumedOnly } from '../../records/tables/stored-history.ts'
import type { Query } from '../database/query.ts'
import { arrayText } from './array-text.ts'
import type { Need } from './need.ts'

const SCOPES = columnsOf('scopes')

export const SCOPE = `id, root, parent, name, kind, labels, opened_at, owner, is_orphaned, status, is_ended, closed_at, pause,
  occupies_place, revision, limits, ceilings, series, active_ms, open_children, change, steered, about, told, watch`
export const CALL = `calls.id AS id, scopes.id AS scope, holder, state, at_ms, sequence, coalesce(fixed, reserved) AS fixed,
  elastic, units, reserved, charged, crossings, calls.about AS about, ending, facts, costs, ended_at, calls.told AS told,
  corrected, corrected_at, assumed FROM calls JOIN scopes ON scopes.ordinal = calls.scope`
export const COUNTER = 'scope, series, start_ms, end_ms, settled, reserved, announced'
export const HOLD = 'scope, limit_key, holder, amount'
export const HOLDER = 'holder, beats, beat_at, died_at'
// The condition of the partial index, which is used only where it is repeated.
export const UNFINISHED = `state IN ('open', 'assumed')`

// Scopes and their ancestors.
export function pathsOf(ids: string): string {
  return `WITH RECURSIVE path (id, parent) AS (SELECT id, parent FROM scopes WHERE id = ANY (${ids}::text[])
  UNION SELECT scopes.id, scopes.parent FROM scopes JOIN path ON scopes.id = path.parent)`
}
const ON_PATHS = 'ANY (ARRAY(SELECT id FROM path))'
// A scope and everything below it.
const BELOW = `(WITH RECURSIVE below (id, ordinal) AS (SELECT id, ordinal FROM scopes WHERE id = $1
  UNION ALL SELECT scopes.id, scopes.ordinal FROM scopes JOIN below ON scopes.parent = below.id)
  SELECT ordinal FROM below)`

/** A scope with all its ancestors: an operation on a scope reads its path. */
export function scopeNeed(id: string): Need {
  return scopesNeed([id])
}

export function scopesNeed(ids: readonly string[]): Need {
  const values = [arrayText(ids)]
  const paths = pathsOf('$1')
  return {
    key: ids.length === 1 ? scopeKey(ids[0]!) : `scopes ${values[0]}`,
    isList: false,
    queries: [
      { text: `${paths} SELECT ${SCOPE} FROM scopes WHERE id = ${ON_PATHS}`, values },
      { text: `${paths} SELECT ${COUNTER} FROM counters WHERE scope = ${ON_PATHS}`, values },
      {
        text: `${paths} SELECT ${HOLD} FROM holds WHERE scope = ${ON_PATHS} OR holder = ${ON_PATHS} ORDER BY ordinal`,
        values,
      },
    ],
    take([rows = [], counters = [], holds = []], give) {
      for (const id of ids) give(scopeKey(id), undefined)
      giveScopes(rows, counters, holds, give)
    },
  }
}

export function scopeKey(id: string): string {
  return `scope ${id}`
}

export function giveScopes(
  rows: readonly SqlRow[],
  counters: readonly SqlRow[],
  holds: readonly SqlRow[],
  give: (key: string, rows: unknown) => void,
): void {
  const countersOf = rowsBy(counters, 'scope')
  const holdsOn = rowsBy(holds, 'scope')
  const holdsOf = rowsBy(holds, 'holder')
  for (const row of rows) {
    const id = SCOPES.text(row, 'id')
    const stored: StoredScope = {
      row,
      counters: countersOf.get(id) ?? [],
      holdsOn: holdsOn.get(id) ?? [],
      holdsOf: holdsOf.get(id) ?? [],
    }
    give(scopeKey(id), stored)
  }
}

function rowsBy(rows: readonly SqlRow[], column: string): Map<SqlValue, SqlRow[]> {
  const groups = new Map<SqlValue, SqlRow[]>()
  for (const row of rows) {
    const value = row[column] ?? null
    const group = groups.get(value)
    if (group === undefined) groups.set(value, [row])
    else group.push(row)
  }
  return groups
}

/** One row by its id, or none. */
function rowNeed(key: string, text: string, value: string): Need {
  return { key, isList: false, queries: [{ text, values: [value] }], take: ([rows = []], give) => give(key, rows[0]) }
}

function listNeed(key: string, query: Query, column?: string): Need {
  return {
    key,
    isList: true,
    queries: [query],
    take: ([rows = []], give) => give(key, column === undefined ? rows : textsIn(rows, column)),
  }
}

/** A list of scopes, which are then read one by one. */
function scopeListNeed(key: string, query: Query): Need {
  return { ...listNeed(key, query, 'id'), scopesIn: ([rows = []]) => textsIn(rows, 'id') }
}

function callListNeed(key: string, query: Query): Need {
  return { ...listNeed(key, query), scopesIn: ([rows = []]) => textsIn(rows, 'scope') }
}

function textsIn(rows: readonly SqlRow[], column: string): readonly string[] {
  return rows.map((row) => SCOPES.text(row, column))
}

export function callNeed(id: string): Need {
  return rowNeed(callKey(id), `SELECT ${CALL} WHERE calls.id = $1`, id)
}

export function callKey(id: string): string {
  return `call ${id}`
}

export function holderNeed(holder: string): Need {
  return rowNeed(holderKey(holder), `SELECT ${HOLDER} FROM holders WHERE holder = $1`, holder)
}

export function holderKey(holder: string): string {
  return `holder ${holder}`
}

export function documentNeed(scopeId: string): Need {
  return rowNeed(`document ${scopeId}`, 'SELECT body FROM documents WHERE scope = $1', scopeId)
}

export function keptNeed(name: string): Need {
  return rowNeed(`kept ${name}`, 'SELECT body FROM kept WHERE name = $1', name)
}

export function headNeed(root: string): Need {
  const key = headKey(root)
  const text = 'SELECT place, hash FROM journal WHERE root = $1 ORDER BY place DESC LIMIT 1'
  const queries = [{ text, values: [root] }]
  return { key, isList: false, queries, take: ([rows = []], give) => give(key, headFromRow(rows[0])) }
}

export function headKey(root: string): string {
  return `head ${root}`
}

export function forgottenNeed(root: string): Need {
  const key = `forgotten ${root}`
  const queries = [{ text: 'SELECT forgotten FROM scopes WHERE id = $1', values: [root] }]
  const take: Need['take'] = ([rows = []], give) =>
    give(key, rows[0] === undefined ? 0 : SCOPES.integer(rows[0], 'forgotten'))
  return { key, isList: true, queries, take }
}

export function scopesBelowNeed(id: string): Need {
  const text = 'SELECT id FROM scopes WHERE parent = $1 AND is_ended = 0 ORDER BY ordinal'
  return scopeListNeed(`below ${id}`, { text, values: [id] })
}

export function scopesOwnedNeed(holder: string): Need {
  const text = 'SELECT id FROM scopes WHERE owner = $1 AND is_ended = 0 ORDER BY ordinal'
  return scopeListNeed(`owned ${holder}`, { text, values: [holder] })
}

export function ownersNeed(): Need {
  const text = 'SELECT DISTINCT owner FROM scopes WHERE is_ended = 0 AND owner IS NOT NULL'
  return listNeed('owners', { text, values: [] }, 'owner')
}

export function scopesListedNeed(filter: Omit<ListFilter, 'atMs'>): Need {
  const { standing, parentId, kind, path, idPrefix, endedSinceMs, most = MOST_LISTED } = filter
  const values: SqlValue[] = []
  const at = (value: SqlValue): string => `$${values.push(value)}`
  const where: string[] = []
  if (standing !== 'all') where.push(`is_ended = ${standing === 'ended' ? 1 : 0}`)
  if (parentId === null) where.push('parent IS NULL')
  else if (parentId !== undefined) where.push(`parent = ${at(parentId)}`)
  if (kind !== undefined) where.push(`kind = ${at(kind)}`)
  if (idPrefix !== undefined) where.push(`starts_with(id, ${at(idPrefix)}) AND id >= ${at(idPrefix)}`)
  if (path !== undefined) where.push(`id IN (${atPath(path.split('/').map(at))})`)
  if (endedSinceMs !== undefined) where.push(`is_ended = 1 AND closed_at >= ${at(endedSinceMs)}`)
  const order = endedSinceMs === undefined ? 'ordinal' : 'closed_at DESC, ordinal DESC'
  const condition = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`
  const text = `SELECT id FROM scopes ${condition} ORDER BY ${order} LIMIT ${at(Math.min(most, Number.MAX_SAFE_INTEGER))}`
  const key = `listed ${JSON.stringify(filter)}`
  // Scopes that are only counted aren't read.
  return most === Number.MAX_SAFE_INTEGER ? listNeed(key, { text, values }, 'id') : scopeListNeed(key, { text, values })
}

/** The scopes with these names from the root down, by the index of names. */
function atPath(names: readonly string[]): string {
  const tables = names.map((_, depth) => `scopes AS s${depth}`)
  const conditions = names.map((name, depth) => {
    return `s${depth}.name = ${name} AND ${depth === 0 ? 's0.parent IS NULL' : `s${depth}.parent = s${depth - 1}.id`}`
  })
  return `SELECT s${names.length - 1}.id FROM ${tables.join(', ')} WHERE ${conditions.join(' AND ')}`
}

export function callsOpenNeed(holder: string): Need {
  const text = `SELECT ${CALL} WHERE ${UNFINISHED} AND state = 'open' AND holder = $1 ORDER BY sequence`
  return callListNeed(`open calls ${holder}`, { text, values: [holder] })
}

export function callHoldersNeed(): Need {
  const text = `SELECT DISTINCT holder FROM calls WHERE ${UNFINISHED} AND state = 'open'`
  return listNeed('call holders', { text, values: [] }, 'holder')
}

export function callsListedNeed({ state, scopeId, holder, most = MOST_LISTED }: ReservationFilter): Need {
  const values: SqlValue[] = [state]
  const at = (value: SqlValue): string => `$${values.push(value)}`
  const where = ['state = $1']
  if (state === 'open' || state === 'assumed') where.push(UNFINISHED)
  if (scopeId !== undefined) where.push(`calls.scope = (SELECT ordinal FROM scopes WHERE id = ${at(scopeId)})`)
  if (holder !== undefined) where.push(`holder = ${at(holder)}`)
  const text = `SELECT ${CALL} WHERE ${where.join(' AND ')} ORDER BY sequence LIMIT ${at(most)}`
  return callListNeed(`calls ${JSON.stringify([state, scopeId, holder, most])}`, { text, values })
}

export function requestNeed(id: string): Need {
  return asList(rowNeed(`request ${id}`, 'SELECT id, body FROM requests WHERE id = $1', id))
}

export function requestOpenForNeed(limitKey: string): Need {
  const text = `SELECT id, body FROM requests WHERE limit_key = $1 AND status = 'open'`
  return asList(rowNeed(`request for ${limitKey}`, text, limitKey))
}

export function requestsOpenOfNeed(scopeId: string): Need {
  const text = `SELECT id, body FROM requests WHERE scope = $1 AND status = 'open' ORDER BY opened_at, id`
  return listNeed(`requests of ${scopeId}`, { text, values: [scopeId] })
}

export function requestsListedNeed({ status, requestId, most = MOST_LISTED }: RequestFilter): Need {
  const text = `SELECT id, body FROM requests WHERE ($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR id = $2)
    ORDER BY opened_at, id LIMIT $3`
  const values = [status ?? null, requestId ?? null, most]
  return listNeed(`requests ${JSON.stringify(values)}`, { text, values })
}

export function keyNeed(id: string): Need {
  return asList(rowNeed(`key ${id}`, 'SELECT id, body FROM keys WHERE id = $1', id))
}

export function keyByHashNeed(hash: string): Need {
  return asList(rowNeed(`key hash ${hash}`, 'SELECT id, body FROM keys WHERE hash = $1', hash))
}

export function keysListedNeed({ scopeId, most = MOST_LISTED }: KeyFilter): Need {
  const text = `SELECT id, body FROM keys WHERE ($1::text IS NULL OR scope = $1) ORDER BY created_at, id LIMIT $2`
  const values = [scopeId ?? null, most]
  return listNeed(`keys ${JSON.stringify(values)}`, { text, values })
}

/** Requests and keys aren't kept in memory: one that was just written is found only among the rows. */
function asList(need: Need): Need {
  return { ...need, isList: true }
}

export function denialsNeed(scopeId: string): Need {
  const text = `SELECT meter, per, resets_at, count, last_at FROM denials
    WHERE scope = (SELECT ordinal FROM scopes WHERE id = $1) ORDER BY resets_at, meter, per`
  return listNeed(`denials ${scopeId}`, { text, values: [scopeId] })
}

export function eventsNeed(range: HistoryRange): Need {
  const { scope, after, before, kinds, most, latest } = range
  const wanted = kinds === null ? null : JSON.stringify([...kinds])
  const text = `SELECT number, at_ms, body FROM events WHERE ${within('events', range)} AND number > $2 AND number < $3
    AND ($4::text IS NULL OR event IN (SELECT json_array_elements_text($4::json))) ORDER BY number ${order(latest)} LIMIT $5`
  const values = [scope.id, after, before, wanted, most]
  return listNeed(`events ${JSON.stringify([...values, latest])}`, { text, values })
}

export function historyCallsNeed(range: HistoryRange, by: 'end' | 'correction'): Need {
  const { scope, after, before, most, latest } = range
  const number = by === 'end' ? 'calls.told' : 'corrected'
  const isAssumed = by === 'end' ? `(state = 'assumed' OR corrected IS NOT NULL)` : `(state = 'assumed')`
  const text = `SELECT ${CALL} WHERE ${within('calls', range)} AND ${number} > $2 AND ${number} < $3
    AND ($4::bigint = 2 OR ${isAssumed}::int = $4) ORDER BY ${number} ${order(latest)} LIMIT $5`
  const values = [scope.id, after, before, assumedOnly(range), most]
  return callListNeed(`history calls ${JSON.stringify([by, ...values, latest])}`, { text, values })
}

function within(table: 'events' | 'calls', { scope }: HistoryRange): string {
  if (scope.parent === null) return `${table}.root = (SELECT ordinal FROM scopes WHERE id = $1)`
  return `${table}.scope IN ${BELOW}`
}

function order(latest: boolean): string {
  return latest ? 'DESC' : 'ASC'
}

/** The root of a call of which only the id is known. */
export function rootOfCall(id: string): Query {
  const text = 'SELECT root FROM scopes WHERE ordinal = (SELECT scope FROM calls WHERE id = $1)'
  return { text, values: [id] }
}

/** The trees in which a holder has something open. */
export function rootsOfHolder(holder: string): Query {
  const text = `SELECT root FROM scopes WHERE owner = $1 AND is_ended = 0
    UNION SELECT scopes.root FROM calls JOIN scopes ON scopes.ordinal = calls.scope
      WHERE ${UNFINISHED} AND state = 'open' AND holder = $1`
  return { text, values: [holder] }
}
