// The SQLite store: npm run bench:store. Ratios of one run are judged; figures are printed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LedgerStore } from '../src/core/index.ts'
import { createSqliteStore, verifyLedger } from '../src/stores/sqlite/index.ts'
import { openChain } from './open-chain.ts'
import { percentile } from './percentiles.ts'
import { type Spent, spend } from './spend.ts'
import { printTable } from './table.ts'

const CALLERS = 64
const DEPTH = 4
const ROUND_MS = 1_000
const ROUNDS = 4
const LEAST_GAIN = 8
const MOST_SLOWED = 2
const PROCESSES = 4

/** The best round: whatever else the machine does can only make one slower. */
function bestOf(rounds: readonly Spent[]): Spent {
  return rounds.reduce((best, round) => (round.pairsPerSecond > best.pairsPerSecond ? round : best))
}

function rowOf(name: string, { pairsPerSecond, milliseconds }: Spent): readonly string[] {
  const [p50, p99] = [50, 99].map((percent) => percentile(milliseconds, percent).toFixed(2))
  return [name, pairsPerSecond.toFixed(0), p50!, p99!]
}

const HEADER = ['reserve + settle on 4 scopes', 'pairs/s', 'p50 ms', 'p99 ms']

async function compareWithSingle(folder: string): Promise<boolean> {
  const stores = {
    single: createSqliteStore({ file: join(folder, 'single.db'), maxBatch: 1 }),
    grouped: createSqliteStore({ file: join(folder, 'grouped.db') }),
  }
  const single: Spent[] = []
  const grouped: Spent[] = []
  const alone: Spent[] = []
  const [singleScope, groupedScope] = [await openChain(stores.single, DEPTH), await openChain(stores.grouped, DEPTH)]
  for (let round = 0; round < ROUNDS; round++) {
    single.push(await spend(stores.single, singleScope, CALLERS, ROUND_MS))
    grouped.push(await spend(stores.grouped, groupedScope, CALLERS, ROUND_MS))
    alone.push(await spend(stores.grouped, groupedScope, 1, ROUND_MS / 2))
  }
  for (const store of Object.values(stores)) await store.dispose()
  const gain = bestOf(grouped).pairsPerSecond / bestOf(single).pairsPerSecond
  printTable('One transaction for many, at the same durability (synchronous = FULL)', HEADER, [
    rowOf(`${CALLERS} callers, a transaction for each operation`, bestOf(single)),
    rowOf(`${CALLERS} callers, group commit`, bestOf(grouped)),
    rowOf('1 caller', bestOf(alone)),
  ])
  console.log(`${gain.toFixed(1)}× the pairs of one transaction per operation (at least ${LEAST_GAIN}×)`)
  return gain >= LEAST_GAIN
}

/** An unrelated tree with as many callers as the hot one: alone, and beside it. */
async function besideHotScope(folder: string): Promise<boolean> {
  const store = createSqliteStore({ file: join(folder, 'hot.db') })
  const [hot, other] = [await openChain(store, DEPTH, 'hot'), await openChain(store, DEPTH, 'other')]
  const half = CALLERS / 2
  const [alone, beside, few, fewBeside]: [Spent[], Spent[], Spent[], Spent[]] = [[], [], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await spend(store, other, half, ROUND_MS))
    beside.push(await both(store, [other, half], [hot, half]))
    few.push(await spend(store, other, 1, ROUND_MS / 2))
    fewBeside.push(await both(store, [other, 1], [hot, half]))
  }
  await store.dispose()
  const slowed = bestOf(alone).pairsPerSecond / bestOf(beside).pairsPerSecond
  printTable('An unrelated scope beside a hot one', HEADER, [
    rowOf(`${half} callers, alone`, bestOf(alone)),
    rowOf(`${half} callers, beside ${half} on a hot scope`, bestOf(beside)),
    rowOf('(1 caller, alone)', bestOf(few)),
    rowOf(`(1 caller, beside ${half} on a hot scope)`, bestOf(fewBeside)),
  ])
  console.log(`${slowed.toFixed(2)}× slower beside a hot scope with as many callers (at most ${MOST_SLOWED}×)`)
  return slowed <= MOST_SLOWED
}

async function both(
  store: LedgerStore,
  ...each: readonly (readonly [scope: string, callers: number])[]
): Promise<Spent> {
  const [first] = await Promise.all(each.map(([scope, callers]) => spend(store, scope, callers, ROUND_MS)))
  return first!
}

/** Several processes that all want to write all the time: what each of them gets. */
async function shareAmongProcesses(folder: string): Promise<boolean> {
  const file = join(folder, 'shared.db')
  const store = createSqliteStore({ file })
  await openChain(store, DEPTH)
  await store.dispose()
  const program = fileURLToPath(new URL('./store-process.ts', import.meta.url))
  const results = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const child = spawn(process.execPath, [program, file, `scope-${DEPTH - 1}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let text = ''
      child.stdout.on('data', (bytes) => {
        text += String(bytes)
      })
      await once(child, 'close')
      return JSON.parse(text) as Spent
    }),
  )
  const total = results.reduce((sum, { pairsPerSecond }) => sum + pairsPerSecond, 0)
  const rows = results.map((result, index) => {
    return [
      ...rowOf(`process ${index + 1}, 16 callers`, result),
      `${((100 * result.pairsPerSecond) / total).toFixed(0)} %`,
    ]
  })
  printTable(`${PROCESSES} processes on one file`, [...HEADER, 'share'], rows)
  const { ok, entries } = verifyLedger(file)
  console.log(`${total.toFixed(0)} pairs/s together; ${entries} journal entries ${ok ? 'verify' : 'DO NOT VERIFY'}`)
  return ok
}

const folder = mkdtempSync(join(tmpdir(), 'stint-bench-'))
const verdicts = [await compareWithSingle(folder), await besideHotScope(folder), await shareAmongProcesses(folder)]
rmSync(folder, { recursive: true, force: true })
const isReached = verdicts.every(Boolean)
console.log(isReached ? '\nAll that was to be reached is reached.' : '\nNOT all that was to be reached is reached.')
process.exitCode = isReached ? 0 : 1
