import { assertKnownOptions, assertWholeNumber, optionNames } from '../../../core/index.ts'
import { type Pruned, prunedTogether } from '../../records/prune/pruned.ts'
import { youngerThan } from '../../records/prune/younger-than.ts'
import { columnsOf } from '../../records/rows/columns-of.ts'
import { assertLedger } from '../assert-ledger.ts'
import type { Session } from '../database/connections.ts'
import { addressIn } from '../database/database-address.ts'
import { UNFINISHED } from '../rows/needs.ts'
import { reading, withDatabase } from '../with-database.ts'
import { pruneRoot } from './prune-root.ts'
import { sizeBytes, usedBytes } from './used-bytes.ts'

const ROOTS = columnsOf('roots')

export interface PruneOptions {
  /** Only what ended before this time. */
  readonly beforeMs: number
  readonly atMs: number
  /** Only count; change nothing. */
  readonly isDryRun?: boolean
  /** If more bytes than this are in use, also deletes what is younger, the oldest first, but never the last day. */
  readonly mostBytes?: number
  /** Does nothing if any process pruned less than this long ago. */
  readonly everyMs?: number
}

export interface PruneReport {
  /** `HOST:PORT/DATABASE`. */
  readonly database: string
  /** `false`: some process pruned less than `everyMs` ago, and nothing was done. */
  readonly wasDue: boolean
  /** How many trees were pruned. */
  readonly roots: number
  readonly scopes: number
  readonly reservations: number
  readonly entries: number
  readonly events: number
  /** What ended before this was deleted: the `beforeMs` of the options, or later if the ledger was too large. */
  readonly beforeMs: number
  /** The tables with their indexes before and after. The server uses the space again. */
  readonly bytesBefore: number
  readonly bytesAfter: number
}

const OPTIONS = optionNames<PruneOptions>({
  beforeMs: true,
  atMs: true,
  isDryRun: true,
  mostBytes: true,
  everyMs: true,
})

/**
 * Deletes the details of what ended before `beforeMs`, one tree in a transaction: ended scopes, finished reservations,
 * and the part of each journal that a checkpoint replaces. Totals and hourly sums stay. Needs the rights of the owner.
 */
export function pruneLedger(url: string, options: PruneOptions): Promise<PruneReport> {
  assertKnownOptions('pruneLedger', options, OPTIONS)
  const { mostBytes } = options
  if (mostBytes !== undefined) assertWholeNumber('pruneLedger({ mostBytes })', mostBytes, 1, Number.MAX_SAFE_INTEGER)
  const { place } = addressIn('pruneLedger', url)
  return withDatabase('pruneLedger', url, async (session) => {
    await reading(session, () => assertLedger(session, place))
    const bytesBefore = await reading(session, () => sizeBytes(session))
    const { beforeMs, atMs, everyMs, isDryRun = false } = options
    const nothing = { roots: 0, scopes: 0, reservations: 0, entries: 0, events: 0 }
    if (everyMs !== undefined && !(await takeTurn(session, atMs, everyMs))) {
      return { database: place, wasDue: false, ...nothing, beforeMs, bytesBefore, bytesAfter: bytesBefore }
    }
    const { pruned, reachedMs } = await pruneAll(session, options)
    if (!isDryRun) await inTransaction(session, false, () => notePruned(session, atMs))
    const sum = (count: (each: Pruned) => number): number => pruned.reduce((total, each) => total + count(each), 0)
    return {
      database: place,
      wasDue: true,
      roots: sum(({ entries, events }) => Number(entries > 0 || events > 0)),
      scopes: sum(({ scopes }) => scopes),
      reservations: sum(({ reservations }) => reservations),
      entries: sum(({ entries }) => entries),
      events: sum(({ events }) => events),
      beforeMs: reachedMs,
      bytesBefore,
      bytesAfter: await reading(session, () => sizeBytes(session)),
    }
  })
}

/** Only one of several processes that want to prune does. A clock that went back must not postpone it forever. */
function takeTurn(session: Session, atMs: number, everyMs: number): Promise<boolean> {
  return inTransaction(session, false, async () => {
    const text = `UPDATE ledger SET pruned_at = $1
      WHERE has_table_privilege('journal', 'DELETE') AND (pruned_at IS NULL OR pruned_at > $1 OR pruned_at <= $1 - $2)
      RETURNING pruned_at`
    return (await session.query({ text, values: [atMs, everyMs] })).length > 0
  })
}

async function notePruned(session: Session, atMs: number): Promise<void> {
  await session.query({ text: 'UPDATE ledger SET pruned_at = $1', values: [atMs] })
}

interface PrunedTrees {
  readonly pruned: readonly Pruned[]
  readonly reachedMs: number
}

async function pruneAll(
  session: Session,
  { beforeMs, atMs, isDryRun = false, mostBytes }: PruneOptions,
): Promise<PrunedTrees> {
  const pruned = new Map<string, Pruned>()
  let reachedMs = beforeMs
  for (const eachMs of [beforeMs, ...youngerThan(beforeMs, atMs)]) {
    // A dry run frees nothing, so what pruning by size would delete in addition is unknown.
    if (eachMs > beforeMs && (mostBytes === undefined || isDryRun || !(await isLarger(session, mostBytes)))) break
    reachedMs = eachMs
    for (const root of await reading(session, () => rootsWithOld(session, eachMs))) {
      const now = await inTransaction(session, isDryRun, () => pruneRoot(session, root, eachMs, atMs))
      pruned.set(root, prunedTogether(pruned.get(root), now))
    }
    await inTransaction(session, isDryRun, () => pruneBesides(session, eachMs))
  }
  return { pruned: [...pruned.values()], reachedMs }
}

/** The total size is not enough: it never shrinks. The used part is added up only if the total is large. */
function isLarger(session: Session, mostBytes: number): Promise<boolean> {
  return reading(session, async () => (await sizeBytes(session)) > mostBytes && (await usedBytes(session)) > mostBytes)
}

/** The trees with something that old. */
async function rootsWithOld(session: Session, beforeMs: number): Promise<readonly string[]> {
  const text = `SELECT id AS root FROM scopes WHERE parent IS NULL AND (
      ordinal IN (SELECT root FROM calls WHERE at_ms < $1 AND NOT ${UNFINISHED})
      OR ordinal IN (SELECT root FROM events WHERE at_ms < $1)
      OR id IN (SELECT root FROM scopes WHERE is_ended = 1 AND closed_at < $1 AND parent IS NOT NULL AND kind <> 'lasting'))
    ORDER BY ordinal`
  return (await session.query({ text, values: [beforeMs] })).map((row) => ROOTS.text(row, 'root'))
}

/** Rows outside of trees, and rows that are only counted. */
async function pruneBesides(session: Session, beforeMs: number): Promise<void> {
  const values = [beforeMs]
  await session.query({
    text: `DELETE FROM holders WHERE greatest(coalesce(beat_at, 0), coalesce(died_at, 0)) < $1
      AND holder NOT IN (SELECT holder FROM calls WHERE ${UNFINISHED} AND state = 'open')
      AND holder NOT IN (SELECT owner FROM scopes WHERE is_ended = 0 AND owner IS NOT NULL)`,
    values,
  })
  await session.query({ text: 'DELETE FROM denials WHERE resets_at > 0 AND resets_at < $1', values })
}

/** With `isDryRun`, the transaction is rolled back. */
async function inTransaction<Result>(
  session: Session,
  isDryRun: boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  await session.begin()
  try {
    const result = await work()
    if (isDryRun) await session.rollback()
    else if (!(await session.commit())) throw new Error('The transaction was rolled back.')
    return result
  } catch (error) {
    await session.rollback().catch(() => {})
    throw error
  }
}
