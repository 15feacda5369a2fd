import { isStintError, type LedgerStore, type Limit } from '../../src/core/index.ts'
import { createSqliteStore, verifyLedger } from '../../src/stores/sqlite/index.ts'
import { isHolderAlive } from '../../src/system/index.ts'
import { createBook, writeDown } from './book.ts'
import { checkHistory, createSeenHistory } from './check-history.ts'
import { checkLedger, checkLimits, type KnownReservations } from './check-ledger.ts'
import { KILL_POINTS, type KillPoint } from './kill-points.ts'
import { readRows } from './ledger-rows.ts'
import { randomFrom } from './random-from.ts'
import { startWorker, type Worker, type WorkerEnd, warmUp } from './start-worker.ts'
import type { Told } from './told.ts'

export interface KillsOptions {
  readonly file: string
  readonly kills: number
  readonly workers?: number
  readonly seed?: number
  readonly say?: (line: string) => void
}

export interface KillsReport {
  readonly kills: number
  readonly byPoint: Readonly<Record<KillPoint, number>>
  readonly granted: number
  readonly settled: number
  readonly breaches: number
  /** Reservations that were charged in full because their holder was dead. */
  readonly assumed: number
  readonly adopted: number
  readonly pruned: number
  readonly checks: number
  readonly entries: number
  /** Events of the history that were held against what the workers were told. */
  readonly events: number
  /** Everything that was not as it must be. */
  readonly problems: readonly string[]
}

const ROOTS = ['team-a', 'team-b']
// After this many deaths all workers are ended, and the whole ledger is checked.
const KILLS_PER_CHECK = 40
const MORE_TOKENS = 3_000
const LONGEST_LIFE_MS = 1_500

/** Kills workers on one ledger, again and again, and compares the ledger with what they recorded. */
export async function runKills(options: KillsOptions): Promise<KillsReport> {
  const { file, workers = 4, seed = 1, say = () => {} } = options
  const random = randomFrom(seed)
  const store = createSqliteStore({ file, busyMs: 30_000 })
  const book = createBook()
  const known: KnownReservations = new Map()
  const assumedOnce = new Set<string>()
  const raised = new Set<string>()
  const seen = createSeenHistory()
  const problems: string[] = []
  const byPoint = Object.fromEntries(KILL_POINTS.map((point) => [point, 0])) as Record<KillPoint, number>
  const running = new Set<Worker>()
  const orphanedRuns: string[] = []
  const counts = { kills: 0, runs: 0, adopted: 0, pruned: 0, checks: 0, entries: 0 }
  let checkedAtMs = 0

  warmUp(file)
  for (const id of ROOTS) await openRoot(store, id)

  async function recover(): Promise<void> {
    for (const { holder } of await store.holders()) {
      if (isHolderAlive(holder) !== false) continue
      const { reservations } = await store.assume({ holder, atMs: Date.now() })
      for (const { reservationId } of reservations) {
        if (assumedOnce.has(reservationId)) problems.push(`${reservationId}: was assumed twice`)
        assumedOnce.add(reservationId)
      }
    }
    problems.push(...checkLimits(readRows(file)))
  }

  function start(): Worker {
    const point = KILL_POINTS[Math.floor(random() * KILL_POINTS.length)]!
    const adopts = orphanedRuns.length > 0 && random() < 0.5
    const root = ROOTS[counts.runs % ROOTS.length]!
    const run = adopts ? orphanedRuns.shift()! : `${root}/run-${++counts.runs}`
    if (adopts) counts.adopted++
    const count = 1 + Math.floor(random() * (point === 'in the middle of a transaction' ? 400 : 25))
    const order = { file, root: run.split('/')[0]!, run, seed: Math.floor(random() * 2 ** 31), point, count }
    let atLatest: NodeJS.Timeout | undefined
    const worker = startWorker({ ...order, pruneBeforeMs: checkedAtMs }, (told) => {
      // A worker that does not reach its point is killed all the same. Its start does not count: that depends on the load.
      atLatest ??= setTimeout(worker.kill, LONGEST_LIFE_MS)
      writeDown(book, told)
      if (told.kind === 'pruned') counts.pruned++
      if (isTimeToDie(point, told)) setTimeout(worker.kill, random() * (point === 'anywhere' ? 120 : 12))
    })
    running.add(worker)
    void worker.end.then((end) => {
      clearTimeout(atLatest)
      running.delete(worker)
      countEnd(worker, end)
    })
    return worker
  }

  function countEnd({ order }: Worker, { wasKilled, complaint }: WorkerEnd): void {
    if (!wasKilled) problems.push(`a worker failed (${order.point}): ${complaint.slice(0, 2_000)}`)
    counts.kills++
    byPoint[order.point]++
    if (order.point !== 'while pruning') orphanedRuns.push(order.run)
  }

  async function checkAll(): Promise<void> {
    for (const worker of running) worker.kill()
    await Promise.all([...running].map(({ end }) => end))
    await recover()
    const report = verifyLedger(file)
    problems.push(...report.problems.map((problem) => JSON.stringify(problem)))
    problems.push(...checkLedger(readRows(file), book, known))
    problems.push(...(await checkHistory(store, ROOTS, seen, { book, assumed: assumedOnce, raised })))
    counts.entries = report.entries
    counts.checks++
    checkedAtMs = Date.now()
    say(`${counts.kills} kills, ${book.settled.size} settled, ${assumedOnce.size} assumed, ${problems.length} problems`)
  }

  try {
    while (counts.kills < options.kills && problems.length === 0) {
      const until = Math.min(options.kills, counts.kills + KILLS_PER_CHECK)
      while (counts.kills < until && problems.length === 0) {
        while (running.size < workers) start()
        await Promise.race([...running].map(({ end }) => end))
        await recover()
        if (random() < 0.2) for (const id of ROOTS) await raiseRoot(store, id, raised)
      }
      await checkAll()
    }
  } catch (error) {
    if (!isStintError(error)) throw error
    problems.push(error.message)
  } finally {
    for (const worker of running) worker.kill()
    await Promise.all([...running].map(({ end }) => end))
    await store.dispose()
  }
  const { kills, adopted, pruned, checks, entries } = counts
  const told = { granted: book.granted.size, settled: book.settled.size, breaches: book.breaches }
  return {
    kills,
    byPoint,
    ...told,
    assumed: assumedOnce.size,
    adopted,
    pruned,
    checks,
    entries,
    events: seen.times.size,
    problems,
  }
}

function isTimeToDie(point: KillPoint, told: Told): boolean {
  if (point === 'anywhere') return told.kind === 'ready'
  return point === 'while opening the file' && told.kind === 'opening'
}

async function openRoot(store: LedgerStore, id: string): Promise<void> {
  const scope = { id, name: id, kind: 'lasting', owner: null, limits: [tokens(MORE_TOKENS)] } as const
  await store.open({ parentId: null, scopes: [scope], atMs: Date.now() })
}

/** There is little at a time, so that the limit is met again and again. */
async function raiseRoot(store: LedgerStore, scopeId: string, raised: Set<string>): Promise<void> {
  const [reading] = (await store.read({ scopeId, atMs: Date.now() }))!
  const { settled, limit } = reading!.limits[0]!
  const by = `the test, time ${raised.size + 1}`
  await store.setLimits({ scopeId, limits: [tokens(settled + MORE_TOKENS)], by, atMs: Date.now() })
  // The same limit again is no event.
  if (settled + MORE_TOKENS !== limit.max) raised.add(by)
}

function tokens(max: number): Limit {
  const source = { layer: 'call', written: 'tokens' } as const
  return { meter: 'tokens', max, per: null, timeZone: 'UTC', action: 'terminate', nearing: [0.8], source }
}
