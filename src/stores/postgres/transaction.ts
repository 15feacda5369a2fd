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

/** What a transaction begins with: the trees that it locks, and those whose death would make it wrong. */
export interface Locks {
  /** In order: two transactions never wait for each other. */
  readonly roots: readonly string[]
  /** These trees may not exist yet. */
  readonly mayBeNew: boolean
  readonly holders: readonly string[]
  /** Nothing else may act for these holders meanwhile. */
  readonly isExclusive: boolean
  /** What the ledger keeps for itself under these names is changed by nothing else meanwhile. */
  readonly kept: readonly string[]
  /** Finds the trees, once the holders are locked. */
  readonly findRoots?: Query
}

/** What the first round trip says. */
export interface Begun {
  /** The server's clock. */
  readonly nowMs: number
  /** The transaction, by which an unanswered commit is found again. */
  readonly xid: number
  readonly roots: readonly string[]
  /** The last transaction on the tree that it locks; `null` if it locks none, or several. */
  readonly change: number | null
}

// Any number: it sets our locks apart from those of other programs in the same database.
const LOCK_CLASS = 7363
const KEPT_CLASS = 7364

const NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms'
// Numbers are taken once everything is locked, also where no tree is.
const LOCK = `WITH locked AS MATERIALIZED (SELECT id, change, pruned FROM roots WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE),
    counted AS MATERIALIZED (SELECT count(*) FROM locked)
  SELECT id, change, pruned, nextval('numbers') AS number, pg_current_xact_id()::text::bigint AS xid, ${NOW}
    FROM counted LEFT JOIN locked ON true`

/** What a batch looks at: what almost every one does, and what only some do. */
export interface BatchNeeds {
  readonly contents: Omit<BatchContents, 'roots' | 'since'>
  readonly others: readonly Need[]
}

/** Opens a transaction that writes, locks what it is about, and loads what it needs, in one round trip. */
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

/** Opens a transaction that sees one moment, changes nothing and locks nothing. */
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

/** What others have written since is read again. */
function catchUp(records: Records, locked: readonly SqlRow[]): void {
  const { ledger, rows } = records
  // A death changes only the trees in which something was open.
  ledger.holders.clear()
  if (records.change === null) return
  const known = records.change
  if (locked.every((row) => row.id !== null && ROOTS.integer(row, 'change') === known)) return
  // What is in memory may be gone: it was pruned, or a server that took over lacks the last transactions.
  const isGone = (row: SqlRow): boolean => ROOTS.integer(row, 'change') < known || ROOTS.integer(row, 'pruned') > known
  if (locked.some((row) => row.id === null || isGone(row))) {
    forgetKeeping(records)
    return
  }
  for (const id of rows.get<readonly string[]>(CHANGED)) ledger.scopes.readAgain(id)
  ledger.forgetOthers()
}

/** Runs something on the records, loading whatever it turns out to look at. It may be run several times. */
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

/** What is in memory goes, and what the transaction has loaded stays. */
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

/** What a list shows depends on what was written before it: that is written for the moment, and undone. */
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

/** Where processes hear that a scope was steered. The payload is the schema: a database may have several ledgers. */
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

// What a call and its settlement write: rows of different tables, none of which refers to another that is new.
const OF_CALLS: ReadonlySet<RowWriteName> = new Set([
  'touchScope',
  'writeCounter',
  'addCall',
  'chargeCall',
  'appendEntry',
])

/** Whether these can be written by one statement, which sees nothing of what it writes, and no row of which twice. */
function areIndependent(pending: readonly PendingRow[]): boolean {
  const { round } = pending[0]!
  return pending.every((row) => row.round === round && OF_CALLS.has(row.name))
}

/** Several writes as one statement, since each statement more takes a turn on both sides. */
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

/** One statement for neighbouring changes of a kind. A row that is written twice is in two of them. */
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

/** Waits for all, and throws what failed first: what follows fails because of it. */
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
