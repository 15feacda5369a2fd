import type { EventName, HistoryEntry } from '../../core/index.ts'
import type { LedgerReader } from '../operator.ts'

/** How far the events of a tree were read. */
export interface LogPosition {
  readonly rootId: string
  readonly cursor: number
}

/** What happened, ordered by time, and how far each tree was read. */
export interface Log {
  readonly entries: readonly HistoryEntry[]
  readonly positions: readonly LogPosition[]
  /** There are earlier entries. */
  readonly isTruncated: boolean
}

export interface LogQuestion {
  /** Only in this scope and below it; `null`: everywhere. */
  readonly scopeId: string | null
  /** Only what happened at this time or later. */
  readonly sinceMs: number
  readonly kinds?: readonly EventName[]
  readonly most: number
}

const PAGE = 1_000
const MOST_ROOTS = 10_000

/** The latest of what happened. */
export async function readLog(reader: LedgerReader, question: LogQuestion): Promise<Log> {
  const { scopeId, sinceMs, most } = question
  const scopes = scopeId === null ? await rootsSince(reader, sinceMs) : [scopeId]
  const logs: Log[] = []
  for (const id of scopes) logs.push(await readOne(reader, id, question))
  const entries = logs.flatMap((log) => log.entries).sort(byTime)
  return {
    entries: entries.slice(-most),
    positions: logs.flatMap(({ positions }) => positions),
    isTruncated: entries.length > most || logs.some(({ isTruncated }) => isTruncated),
  }
}

/** The roots that are open or ended since then: nothing can have happened in others. */
async function rootsSince({ store, nowMs }: LedgerReader, sinceMs: number): Promise<readonly string[]> {
  const atMs = nowMs()
  const filter = { parentId: null, most: MOST_ROOTS, atMs }
  const open = await store.list({ standing: 'open', ...filter })
  const ended = await store.list({ standing: 'ended', endedSinceMs: sinceMs, ...filter })
  return [...new Set([...open, ...ended].map(({ id }) => id))]
}

/** Reads backwards from the end, a page at a time, until everything is older. */
async function readOne(
  { store, nowMs }: LedgerReader,
  scopeId: string,
  { sinceMs, kinds, most }: LogQuestion,
): Promise<Log> {
  const of = { scopeId, latest: true, most: PAGE, ...(kinds === undefined ? {} : { kinds }), atMs: nowMs() }
  const rootId = (await store.read({ scopeId, atMs: nowMs() }))?.[0]?.id ?? scopeId
  let entries: readonly HistoryEntry[] = []
  let cursor: number | null = null
  for (;;) {
    const first = entries[0]
    const page = await store.history(first === undefined ? of : { ...of, before: first.number })
    if (page.kind === 'reset') break
    cursor ??= page.cursor
    const young = page.entries.filter((entry) => timeOf(entry) >= sinceMs)
    entries = [...young, ...entries]
    const isAll = !page.hasMore || young.length < page.entries.length
    if (isAll || entries.length >= most) {
      return { entries: entries.slice(-most), positions: [{ rootId, cursor }], isTruncated: !isAll }
    }
  }
  return { entries, positions: [{ rootId, cursor: cursor ?? 0 }], isTruncated: false }
}

/**
 * The trees that may have changed, where the store has too many to name: all that `readLog` looks at, and those that
 * were read before.
 */
export async function everyRoot(
  reader: LedgerReader,
  sinceMs: number,
  known: Iterable<string>,
): Promise<readonly string[]> {
  return [...new Set([...known, ...(await rootsSince(reader, sinceMs))])]
}

/** What came after a number. A tree whose events were pruned in the meantime continues from now. */
export async function readOn(
  { store, nowMs }: LedgerReader,
  scopeId: string,
  since: number,
  kinds?: readonly EventName[],
): Promise<{ readonly entries: readonly HistoryEntry[]; readonly cursor: number; readonly isReset: boolean }> {
  const entries: HistoryEntry[] = []
  let cursor = since
  for (;;) {
    const of = { scopeId, since: cursor, most: PAGE, ...(kinds === undefined ? {} : { kinds }), atMs: nowMs() }
    const page = await store.history(of)
    if (page.kind === 'reset') return { entries, cursor: page.cursor, isReset: true }
    entries.push(...page.entries)
    cursor = page.cursor
    if (!page.hasMore) return { entries, cursor, isReset: false }
  }
}

function byTime(left: HistoryEntry, right: HistoryEntry): number {
  return timeOf(left) - timeOf(right) || left.number - right.number
}

/** When it happened, in epoch milliseconds. */
function timeOf({ event }: HistoryEntry): number {
  return Date.parse(event.ts)
}
