// What a ledger of many calls costs: node store-growth.ts [CALLS] [CHECKOUT]. Prints figures; judges none.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { LedgerStore } from '../src/core/index.ts'
import { openChain } from './open-chain.ts'
import { printTable } from './table.ts'

const [calls = '100000', checkout = '.'] = process.argv.slice(2)
const module = pathToFileURL(join(resolve(checkout), 'src/stores/sqlite/index.ts')).href
const { createSqliteStore } = (await import(module)) as typeof import('../src/stores/sqlite/index.ts')

const CALLERS = 128
const about = { call: 'model', name: 'claude-sonnet-4-5', provider: 'anthropic', attempt: 1 } as const
const usage = { inputTokens: 900, outputTokens: 100, cacheReadTokens: 5_000 }
const result = { ending: 'answered', usage, price: 'table' } as const
const amounts = { modelCalls: 1, tokens: 1_200, outputTokens: 300, cost: 30_000_000 }
const actual = { modelCalls: 1, tokens: 1_000, outputTokens: 100, cost: 21_000_000 }

async function fill(store: LedgerStore, scopeId: string, count: number): Promise<void> {
  let next = 0
  const call = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) {
      // As long as the ids of the governor.
      const reservationId = `019a8f00-0000-7000-8000-${String(number).padStart(12, '0')}`
      const atMs = 1_763_000_000_000 + number * 100
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

async function figuresOf(file: string, scopeId: string): Promise<readonly number[]> {
  const opened = await cpuMs(async () => createSqliteStore({ file }).dispose())
  const store = createSqliteStore({ file })
  const status = await cpuMs(() => store.list({ standing: 'open', atMs: 1_763_000_000_000 }))
  const page = { scopeId, most: 100, latest: true, atMs: 1_763_000_000_000 } as const
  const history = await cpuMs(() => store.history(page))
  await store.dispose()
  return [opened, status, history]
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
  const figures = await figuresOf(file, scopeId)
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
const header = ['calls', 'bytes/call', 'open ms', 'status ms', 'history ms', 'verify µs/call', 'verify MB', 'verifies']
printTable('A ledger that has grown (CPU time)', header, rows)
