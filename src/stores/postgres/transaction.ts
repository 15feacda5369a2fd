import { columnsOf } from '../records/rows/columns-of.ts'
import type { RowWriteName } from '../records/rows/row-change.ts'
import type { SqlRow, SqlValue } from '../records/rows/sql-row.ts'
import type { Session } from './database/connections.ts'
import { LedgerVersionError } from './database/ledger-version-error.ts'
import type { Query } from './database/query.ts'
import { type PendingRow, type Records, steeredAmong } from './records.ts'
import { arrayText } from './rows/array-text.ts'
import { type BatchContents, batchNeed, CHANGED, VERSION } from './rows/batch-need.ts'
import { type Need, needIn } from './rows/need.ts'
import { scopesNeed } from './rows/needs.ts'
import { writeRowsQuery } from './rows/row-write-sql.ts'
import { MIGRATIONS } from './schema.ts'

const ROOTS = columnsOf('roots')
const NUMBERS = columnsOf('numbers')

/** What a transaction locks at its start: its trees, and the holders that must not be declared dead meanwhile. */
export interface Locks {
  /** Sorted, so that two transactions never wait for each other. */
  readonly roots: readonly string[]
  /** These trees may not exist yet. */
  readonly mayBeNew: boolean
  readonly holders: readonly string[]
  /** Nothing else may act for these holders meanwhile. */
  readonly isExclusive: boolean
  /** Nothing else may change the ledger's own values under these names meanwhile. */
  readonly kept: readonly string[]
  /** Finds the trees, once the holders are locked. */
  readonly findRoots?: Query
}

/** The result of the first round trip. */
export interface Begun {
  /** The server's clock. */
  readonly nowMs: number
  /** The transaction's number, to look up an unanswered commit. */
  readonly xid: number
  readonly roots: readonly string[]
  /** The last transaction on the tree that it locks; `null` if it locks none, or several. */
  readonly change: number | null
}

// Any number: it distinguishes our locks from those of other programs in the same database.
const LOCK_CLASS = 7363
const KEPT_CLASS = 7364

const NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms'
// Numbers are taken once everything is locked, even if no tree is.
const LOCK = `WITH locked AS MATERIALIZED (SELECT id, change, pruned FROM roots WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE),
    counted AS MATERIALIZED (SELECT count(*) FROM locked)
  SELECT id, change, pruned, nextval('numbers') AS number, pg_current_xact_id()::text::bigint AS xid, ${NOW}
    FROM counted LEFT JOIN locked ON true`

/** What a batch reads: what almost every batch needs, and what only some need. */
export interface BatchNeeds {
  readonly contents: Omit<BatchContents, 'roots' | 'since'>
  readonly others: readonly Need[]
}

/** Opens a write transaction, takes its locks and loads what it needs, in one round trip. */
export async function beginWriting(
  session: Session,
  records: Records,
  locks: Locks,
  { contents, others }: BatchNeeds,
): Promise<Begun> {
  const { holders, findRoots } = locks
  const steps: Promise<unknown>[] = [session.begin()]
  if (holders.length > 0) {
    const lock = locks.isExclusive ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared'
    const text = `SELECT ${lock}(${LOCK_CLASS}, hashtext(holder)) FROM unnest($1::text[]) AS holder`
    steps.push(session.query({ text, values: [arrayText(holders.toSorted())] }))
  }
  for (const name of locks.kept.toSorted()) {
    steps.push(session.query({ text: `SELECT pg_advisory_xact_lock(${KEPT_CLASS}, hashtext($1))`, values: [name] }))
  }
  let { roots } = locks
  if (findRoots !== undefined) {
    const finding = session.query(findRoots)
    await together([...steps.splice(0), finding])
    roots = (await finding).map((row) => ROOTS.text(row, 'root')).toSorted()
  }
  if (locks.mayBeNew) {
    const text = `INSERT INTO roots SELECT id, 0, pg_current_xact_id() FROM unnest($1::text[]) AS id
      ORDER BY id ON CONFLICT DO NOTHING`
    steps.push(session.query({ text, values: [arrayText(roots)] }))
  }
  const needs = [batchNeed({ roots, since: records.change, ...contents }), ...others]
  const locking = session.query({ text: LOCK, values: [arrayText(roots)] })
  const loading = needs.flatMap(({ queries }) => queries.map((query) => session.query(query)))
  await together([...steps, locking, ...loading])
  const locked = await locking
  records.rows.clear()
  takeAll(records, needs, await Promise.all(loading))
  assertVersion(records)
  const last = locked.at(-1)!
  records.number = NUMBERS.integer(last, 'number')
  records.ledger.sequence = records.number
  catchUp(records, locked)
  return { nowMs: NUMBERS.integer(last, 'now_ms'), xid: NUMBERS.integer(last, 'xid'), roots, change: changeIn(locked) }
}

/** Opens a transaction that reads one consistent state, and changes and locks nothing. */
export async function beginReading(
  session: Session,
  records: Records,
  { contents, others }: BatchNeeds,
): Promise<number> {
  const needs = [batchNeed({ roots: [], since: null, ...contents }), ...others]
  const [, clock, ...loaded] = await together([
    session.begin(true).then(() => []),
    session.query(plain(`SELECT ${NOW}`)),
    ...needs.flatMap(({ queries }) => queries.map((query) => session.query(query))),
  ])
  takeAll(records, needs, loaded)
  assertVersion(records)
  return NUMBERS.integer(clock![0]!, 'now_ms')
}

function changeIn([first, ...others]: readonly SqlRow[]): number | null {
  return first === undefined || first.id === null || others.length > 0 ? null : ROOTS.integer(first, 'change')
}

/** A newer Stint may have changed the tables meanwhile. */
function assertVersion({ rows }: Records): void {
  const version = rows.get<number>(VERSION)
  if (version !== MIGRATIONS.length) throw new LedgerVersionError(version, MIGRATIONS.length)
}

/** Reads again what other processes have written since. */
function catchUp(records: Records, locked: readonly SqlRow[]): void {
  const { ledger, rows } = records
  // A declaration of death only changes trees in which something was open.
  ledger.holders.clear()
  if (records.change === null) return
  const known = records.change
  if (locked.every((row) => row.id !== null && ROOTS.integer(row, 'change') === known)) return
  // Rows in memory may be gone: they were pruned, or a server that took over lacks the last transactions.
  const isGone = (row: SqlRow): boolean => ROOTS.integer(row, 'change') < known || ROOTS.integer(row, 'pruned') > known
  if (locked.some((row) => row.id === null || isGone(row))) {
    forgetKeeping(records)
    return
  }
  for (const id of rows.get<readonly string[]>(CHANGED)) ledger.scopes.readAgain(id)
  ledger.forgetOthers()
}

/** Runs something on the records, loading the rows that it turns out to need. It may run several times. */
export async function runLoading<Result>(session: Session, records: Records, run: () => Result): Promise<Result> {
  for (;;) {
    let need: Need | null
    try {
      return run()
    } catch (error) {
      need = needIn(error)
      if (need === null) throw error
    }
    await load(session, records, need)
    forgetKeeping(records)
  }
}

/** Drops memory, except for what the transaction has loaded. */
export function forgetKeeping(records: Records): void {
  const { number } = records
  records.forget()
  records.number = number
  records.ledger.sequence = number
}

const SAVEPOINT = 'before_looking'

type Results = readonly (readonly SqlRow[])[]

async function load(session: Session, { pending, rows }: Records, need: Need): Promise<void> {
  const look = (): Promise<Results> => queryAll(session, need.queries)
  const results = await (need.isList && pending.length > 0 ? afterWriting(session, pending, look) : look())
  rows.take(need, results)
  const ids = new Set(need.scopesIn?.(results))
  for (const id of ids) if (rows.has(scopesNeed([id]))) ids.delete(id)
  if (ids.size === 0) return
  const scopes = scopesNeed([...ids])
  rows.take(scopes, await queryAll(session, scopes.queries))
}

/** A list depends on what was written before it, so that is written temporarily, and undone. */
async function afterWriting(
  session: Session,
  pending: readonly PendingRow[],
  look: () => Promise<Results>,
): Promise<Results> {
  const writes = queryAll(session, [plain(`SAVEPOINT ${SAVEPOINT}`), ...writesOf(pending)])
  const [, results] = await together([writes, look()])
  await session.query(plain(`ROLLBACK TO ${SAVEPOINT}`))
  return results!
}

/** The channel for steered scopes. The payload is the schema, because a database may have several ledgers. */
export const STEERED_CHANNEL = 'stint_steered'

/** Writes what has changed and commits, in one round trip. `false`: it was rolled back. */
export async function writeAndCommit(session: Session, records: Records, roots: readonly string[]): Promise<boolean> {
  const { pending, number } = records
  const queries = writesOf(pending)
  const steered = steeredAmong(pending)
  if (steered.length > 0) {
    const text = 'UPDATE scopes SET steered_by = pg_current_xact_id() WHERE id = ANY ($1::text[])'
    queries.push(
      { text, values: [arrayText(steered)] },
      plain(`SELECT pg_notify('${STEERED_CHANNEL}', current_schema())`),
    )
  }
  if (roots.length > 0 && pending.length > 0) {
    const text = 'UPDATE roots SET change = $2, written = pg_current_xact_id() WHERE id = ANY ($1::text[])'
    queries.push({ text, values: [arrayText(roots), number] })
  }
  const sent = areIndependent(pending) ? [inOne(queries)] : queries
  const [isCommitted] = await together<boolean>([
    ...sent.map((query) => session.query(query).then(() => true)),
    session.commit(),
  ]).then((results) => results.slice(-1))
  return isCommitted!
}

// The writes of a call and its settlement: rows of different tables that do not refer to each other's new rows.
const OF_CALLS: ReadonlySet<RowWriteName> = new Set([
  'touchScope',
  'writeCounter',
  'addCall',
  'chargeCall',
  'appendEntry',
])

/** Whether these can be written by one statement, which does not see its own writes and must not write a row twice. */
function areIndependent(pending: readonly PendingRow[]): boolean {
  const { round } = pending[0]!
  return pending.every((row) => row.round === round && OF_CALLS.has(row.name))
}

/** Several writes as one statement, since each further statement costs a turn on both sides. */
function inOne(queries: readonly Query[]): Query {
  const values: SqlValue[] = []
  const texts = queries.map(({ text, values: own }, place) => {
    const before = values.length
    values.push(...own)
    const moved = text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + before}`)
    return place === queries.length - 1 ? moved : `write_${place} AS (${moved})`
  })
  const last = texts.pop()!
  return { text: texts.length === 0 ? last : `WITH ${texts.join(', ')} ${last}`, values }
}

/** One statement for adjacent changes of the same kind. A row that is written twice is in two statements. */
function writesOf(pending: readonly PendingRow[]): Query[] {
  const queries: Query[] = []
  for (let from = 0; from < pending.length; ) {
    const { name, round } = pending[from]!
    let to = from + 1
    while (to < pending.length && pending[to]!.name === name && pending[to]!.round === round) to++
    queries.push(
      writeRowsQuery(
        name,
        pending.slice(from, to).map(({ values }) => values),
      ),
    )
    from = to
  }
  return queries
}

function takeAll(records: Records, needs: readonly Need[], results: Results): void {
  let place = 0
  for (const need of needs) {
    records.rows.take(need, results.slice(place, place + need.queries.length))
    place += need.queries.length
  }
}

function queryAll(session: Session, queries: readonly Query[]): Promise<Results> {
  return together(queries.map((query) => session.query(query)))
}

/** Waits for all, and throws the first failure, which causes the later ones. */
async function together<Result>(steps: readonly Promise<Result>[]): Promise<Result[]> {
  const settled = await Promise.allSettled(steps)
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
}

function plain(text: string): Query {
  return { text, values: [] }
}
