import { type CheckpointRows, createFinishedSummary, takeCheckpoint } from '../../records/journal/checkpoint.ts'
import { hashEntry, headFromRow } from '../../records/journal/journal.ts'
import { totalsFromRows } from '../../records/journal/totals-from-rows.ts'
import { prunableScopes } from '../../records/prune/prunable-scopes.ts'
import type { Pruned } from '../../records/prune/pruned.ts'
import { columnsOf } from '../../records/rows/columns-of.ts'
import type { SqlRow, SqlValue } from '../../records/rows/sql-row.ts'
import type { Session } from '../database/connections.ts'
import { rowsOf } from '../database/rows-of.ts'
import { arrayText } from '../rows/array-text.ts'
import { COUNTER, SCOPE, UNFINISHED } from '../rows/needs.ts'
import { callsFinishedOf, callsUnfinishedOf, keysOf, requestsOf } from '../verify/tree-queries.ts'
import { keepSums } from './keep-sums.ts'

const SCOPES = columnsOf('scopes')
const NUMBERS = columnsOf('numbers')

// Finished calls that are old, or of a scope that is deleted.
const OLD_CALLS = `NOT ${UNFINISHED} AND (scope = ANY ($3::bigint[])
  OR (at_ms < $2 AND scope IN (SELECT ordinal FROM scopes WHERE root = $1)))`
const OLD_EVENTS = 'root = (SELECT ordinal FROM scopes WHERE id = $1) AND at_ms < $2'
const OLD_ENDS = 'root = $1 AND is_ended = 1 AND closed_at < $2'

/**
 * Deletes what ended before `beforeMs` in the tree of a root, inside a transaction, and replaces its journal with a
 * checkpoint. Other processes only wait for this tree.
 */
export async function pruneRoot(session: Session, root: string, beforeMs: number, atMs: number): Promise<Pruned> {
  const query = (text: string, ...values: readonly SqlValue[]): Promise<readonly SqlRow[]> =>
    session.query({ text, values })
  /** Runs a DELETE statement. Returns the number of deleted rows. */
  const deleted = async (text: string, ...values: readonly SqlValue[]): Promise<number> => {
    const [row] = await query(`WITH gone AS (${text} RETURNING 1) SELECT count(*) AS number FROM gone`, ...values)
    return NUMBERS.integer(row!, 'number')
  }
  await query('SELECT id FROM roots WHERE id = $1 FOR UPDATE', root)
  const ending = await query(
    'SELECT ordinal, id, parent, kind, is_ended, closed_at FROM scopes WHERE root = $1 ORDER BY ordinal DESC',
    root,
  )
  const old = new Set(prunableScopes(ending, await session.query(callsUnfinishedOf(root)), beforeMs))
  const ids = arrayText([...old])
  const ordinals = arrayText(
    ending.filter((row) => old.has(SCOPES.text(row, 'id'))).map((row) => SCOPES.integer(row, 'ordinal')),
  )
  const bounds = [root, beforeMs, ordinals] as const
  const [last] = await query(
    `SELECT greatest(
      (SELECT coalesce(max(number), 0) FROM events WHERE ${OLD_EVENTS}),
      (SELECT coalesce(max(greatest(told, corrected)), 0) FROM calls WHERE ${OLD_CALLS})) AS number`,
    ...bounds,
  )
  const events = await deleted(`DELETE FROM events WHERE ${OLD_EVENTS}`, root, beforeMs)
  await keepSums(session, OLD_CALLS, bounds)
  const reservations = await deleted(`DELETE FROM calls WHERE ${OLD_CALLS}`, ...bounds)
  if (events > 0 || reservations > 0) {
    const forgotten = NUMBERS.integer(last!, 'number')
    await query('UPDATE scopes SET forgotten = greatest(forgotten, $2) WHERE id = $1', root, forgotten)
  }
  await query(
    'DELETE FROM keys WHERE revoked_at < $2 AND scope IN (SELECT id FROM scopes WHERE root = $1)',
    root,
    beforeMs,
  )
  // Scopes that stay, since their totals are stored nowhere else: roots and budgets.
  await query(`UPDATE scopes SET about = NULL WHERE about IS NOT NULL AND ${OLD_ENDS}`, root, beforeMs)
  await query(`DELETE FROM documents WHERE scope IN (SELECT id FROM scopes WHERE ${OLD_ENDS})`, root, beforeMs)
  if (old.size === 0 && reservations === 0) return { scopes: 0, reservations: 0, entries: 0, events }
  for (const table of ['counters', 'documents', 'requests', 'keys']) {
    await query(`DELETE FROM ${table} WHERE scope = ANY ($1::text[])`, ids)
  }
  await query('DELETE FROM denials WHERE scope = ANY ($1::bigint[])', ordinals)
  await query('DELETE FROM scopes WHERE id = ANY ($1::text[])', ids)
  const entries = await putCheckpoint(session, root, atMs, deleted)
  return { scopes: old.size, reservations, entries, events }
}

async function putCheckpoint(
  session: Session,
  root: string,
  atMs: number,
  deleted: (text: string, ...values: readonly SqlValue[]) => Promise<number>,
): Promise<number> {
  const [last] = await session.query({
    text: 'SELECT place, hash FROM journal WHERE root = $1 ORDER BY place DESC LIMIT 1',
    values: [root],
  })
  const head = headFromRow(last)
  const place = head.place + 1
  const rows = await checkpointRows(session, root)
  const body = JSON.stringify(takeCheckpoint(rows, head.hash, atMs))
  const top = rows.scopes.find(({ row }) => row.id === root)
  const totals = totalsFromRows(top?.row, top?.counters ?? [])
  const hash = Buffer.from(hashEntry(head.hash, root, place, body, totals)).toString('hex')
  await session.query({
    text: `INSERT INTO journal (root, place, body, totals, hash) VALUES ($1, $2, $3, $4, decode($5, 'hex'))`,
    values: [root, place, body, totals, hash],
  })
  const entries = await deleted('DELETE FROM journal WHERE root = $1 AND place < $2', root, place)
  // Makes every process read again: rows that they have in memory may be gone.
  await session.query({
    text: `WITH next AS (SELECT nextval('numbers') AS number)
      UPDATE roots SET change = number, pruned = number, written = pg_current_xact_id() FROM next WHERE id = $1`,
    values: [root],
  })
  return entries
}

/** The current state of the tree of a root. */
async function checkpointRows(session: Session, root: string): Promise<CheckpointRows> {
  const counters = new Map<SqlValue, SqlRow[]>()
  const ofRoot = 'scope IN (SELECT id FROM scopes WHERE root = $1)'
  for (const { scope = null, ...row } of await session.query({
    text: `SELECT ${COUNTER} FROM counters WHERE ${ofRoot} ORDER BY scope, series, start_ms`,
    values: [root],
  })) {
    const known = counters.get(scope)
    if (known === undefined) counters.set(scope, [row])
    else known.push(row)
  }
  const scopes = await session.query({
    text: `SELECT ${SCOPE} FROM scopes WHERE root = $1 ORDER BY ordinal`,
    values: [root],
  })
  const finished = createFinishedSummary()
  for await (const rows of rowsOf(session, callsFinishedOf(root))) rows.forEach(finished.add)
  return {
    scopes: scopes.map((row) => ({ row, counters: counters.get(row.id ?? null) ?? [] })),
    unfinished: await session.query(callsUnfinishedOf(root)),
    finished: finished.end(),
    requests: await session.query(requestsOf(root)),
    keys: await session.query(keysOf(root)),
  }
}
