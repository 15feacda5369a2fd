import { headFromRow } from '../../records/journal/journal.ts'
import { columnsOf } from '../../records/rows/columns-of.ts'
import type { SqlRow } from '../../records/rows/sql-row.ts'
import { arrayText } from './array-text.ts'
import type { Need } from './need.ts'
import {
  CALL,
  COUNTER,
  callKey,
  giveScopes,
  HOLD,
  HOLDER,
  headKey,
  holderKey,
  pathsOf,
  SCOPE,
  scopeKey,
} from './needs.ts'

const LOADED = columnsOf('scopes')

/** The trees and records that a batch is about, as far as its requests name them. */
export interface BatchContents {
  readonly roots: readonly string[]
  /** Scopes of these trees that have changed since then are loaded too; `null`: nothing was in memory. */
  readonly since: number | null
  readonly scopes: readonly string[]
  readonly calls: readonly string[]
  readonly holders: readonly string[]
}

const NOTHING_IS_LATER = Number.MAX_SAFE_INTEGER

/** Everything that almost every batch reads, in one statement: each further statement costs a turn on both sides. */
export function batchNeed({ roots, since, scopes, calls, holders }: BatchContents): Need {
  const lists = [scopes, calls, holders].map(arrayText)
  return {
    key: 'batch',
    isList: false,
    queries: [{ text: BATCH, values: [arrayText(roots), since ?? NOTHING_IS_LATER, ...lists] }],
    take([rows = []], give) {
      const row = rows[0]!
      const heads = new Map(rowsIn(row, 'heads').map((head) => [LOADED.text(head, 'root'), head]))
      for (const root of roots) give(headKey(root), headFromRow(withBytes(heads.get(root))))
      for (const id of scopes) give(scopeKey(id), undefined)
      giveScopes(rowsIn(row, 'scopes'), rowsIn(row, 'counters'), rowsIn(row, 'holds'), give)
      for (const id of calls) give(callKey(id), undefined)
      for (const call of rowsIn(row, 'calls')) give(callKey(LOADED.text(call, 'id')), call)
      for (const holder of holders) give(holderKey(holder), undefined)
      for (const holder of rowsIn(row, 'holders')) give(holderKey(LOADED.text(holder, 'holder')), holder)
      give(VERSION, LOADED.integer(row, 'version'))
      give(
        CHANGED,
        rowsIn(row, 'changed').map((each) => LOADED.text(each, 'id')),
      )
    },
  }
}

/** Where the changed scopes are in the result. */
export const CHANGED = 'changed'
/** Where the version of the tables is in the result. */
export const VERSION = 'version'

function rowsIn(row: SqlRow, column: string): readonly SqlRow[] {
  return row[column] === null ? [] : LOADED.json<readonly SqlRow[]>(row, column)
}

function withBytes(head: SqlRow | undefined): SqlRow | undefined {
  return head === undefined ? undefined : { ...head, hash: Buffer.from(LOADED.text(head, 'hash'), 'hex') }
}

function asJson(query: string): string {
  return `(SELECT json_agg(each)::text FROM (${query}) AS each)`
}

// The planner assumes that an array of unknown length is short, so it uses an index, whatever it estimates for a
// subquery.
const WANTED = 'ANY (ARRAY(SELECT id FROM wanted))'
const BATCH = `${pathsOf('$3')}, changed AS MATERIALIZED (
    SELECT id FROM scopes WHERE root = ANY ($1::text[]) AND change > $2
  ), wanted AS MATERIALIZED (SELECT id FROM path UNION SELECT id FROM changed)
  SELECT
  ${asJson(`SELECT asked.root, place, encode(hash, 'hex') AS hash FROM unnest($1::text[]) AS asked (root), LATERAL (
    SELECT place, hash FROM journal WHERE journal.root = asked.root ORDER BY place DESC LIMIT 1) AS last`)} AS heads,
  ${asJson('SELECT id FROM changed')} AS changed,
  ${asJson(`SELECT ${SCOPE} FROM scopes WHERE id = ${WANTED}`)} AS scopes,
  ${asJson(`SELECT ${COUNTER} FROM counters WHERE scope = ${WANTED}`)} AS counters,
  ${asJson(`SELECT ${HOLD} FROM holds WHERE scope = ${WANTED} OR holder = ${WANTED} ORDER BY ordinal`)} AS holds,
  ${asJson(`SELECT ${CALL} WHERE calls.id = ANY ($4::text[])`)} AS calls,
  ${asJson(`SELECT ${HOLDER} FROM holders WHERE holder = ANY ($5::text[])`)} AS holders,
  (SELECT schema FROM ledger) AS version`
