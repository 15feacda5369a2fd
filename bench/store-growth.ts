// What a ledger of many calls costs: node store-growth.ts [CALLS] [CHECKOUT]. Prints figures; judges none.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { LedgerStore } from '../src/core/index.ts'
import { readLog } from '../src/operate/history/read-log.ts'
import { openChain } from './open-chain.ts'
import { printTable } from './table.ts'

const [calls = '100000', checkout = '.'] = process.argv.slice(2)
const module = pathToFileURL(join(resolve(checkout), 'src/stores/sqlite/index.ts')).href
const { createSqliteStore } = (await import(module)) as typeof import('../src/stores/sqlite/index.ts')

const CALLERS = 128
const about = { call: 'model', name: 'claude-sonnet-4-5', provider: 'anthropic', phase: 'execution' } as const
const usage = { inputTokens: 900, outputTokens: 100, cacheReadTokens: 5_000 }
const costs = { input: 2_700_000, cacheRead: 1_500_000, output: 16_800_000 }
const result = { ending: 'answered', usage, price: 'table', costs } as const
// 43,200 calls a day, 1,800 an hour.
const STEP_MS = 2_000
const START_MS = 1_763_000_000_000
const amounts = { modelCalls: 1, tokens: 1_200, outputTokens: 300, cost: 30_000_000 }
const actual = { modelCalls: 1, tokens: 1_000, outputTokens: 100, cost: 21_000_000 }

async function fill(store: LedgerStore, scopeId: string, count: number): Promise<void> {
  let next = 0
  const call = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) {
      // As long as the ids of the governor.
      const reservationId = `019a8f00-0000-7000-8000-${String(number).padStart(12, '0')}`
      const atMs = START_MS + number * STEP_MS
      await store.reserve({ reservationId, scopeId, amounts, about, holder: 'host:4711:1763000000000', atMs })
      await store.settle({ reservationId, actual, result, atMs: atMs + 50 })
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
}

/** CPU milliseconds of a piece of work: the best of three. */
async function cpuMs(work: () => Promise<unknown> | unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

async function figuresOf(file: string, scopeId: string, size: number): Promise<readonly number[]> {
  const atMs = START_MS + size * STEP_MS
  const opened = await cpuMs(async () => createSqliteStore({ file }).dispose())
  const store = createSqliteStore({ file })
  const status = await cpuMs(() => store.list({ standing: 'open', atMs }))
  const page = { scopeId, most: 100, latest: true, atMs } as const
  const history = await cpuMs(() => store.history(page))
  const reader = { store, nowMs: () => atMs, isHolderAlive: () => null }
  const log = await cpuMs(() => readLog(reader, { scopeId: null, sinceMs: atMs - 3_600_000, most: 10_000 }))
  const day = await cpuMs(() => store.sums({ sinceMs: atMs - 86_400_000, untilMs: atMs }))
  await store.dispose()
  return [opened, status, history, log, day]
}

const count = Number(calls)
const folder = mkdtempSync(join(tmpdir(), 'stint-growth-'))
const rows: string[][] = []
for (const size of [0, count]) {
  const file = join(folder, `${size}.db`)
  const store = createSqliteStore({ file })
  const scopeId = await openChain(store, 3)
  await fill(store, scopeId, size)
  await store.dispose()
  const bytes = statSync(file).size
  const figures = await figuresOf(file, scopeId, size)
  const program = fileURLToPath(new URL('./store-verify.ts', import.meta.url))
  const text = execFileSync(process.execPath, [program, file, resolve(checkout)], { encoding: 'utf8' })
  const verified = JSON.parse(text) as { ok: boolean; cpuMs: number; rssMb: number }
  const perCall = (total: number): string => (size === 0 ? '' : (total / size).toFixed(1))
  rows.push([
    size.toLocaleString('en'),
    perCall(bytes),
    ...figures.map((figure) => figure.toFixed(2)),
    perCall(verified.cpuMs * 1_000),
    verified.rssMb.toFixed(0),
    verified.ok ? 'yes' : 'NO',
  ])
}
rmSync(folder, { recursive: true, force: true })
const times = ['open ms', 'status ms', 'history ms', 'log 1h ms', 'sums 1d ms']
const header = ['calls', 'bytes/call', ...times, 'verify µs/call', 'verify MB', 'verifies']
printTable('A ledger that has grown (CPU time)', header, rows)
