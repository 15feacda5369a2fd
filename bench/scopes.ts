// How long people wait for a large ledger: npm run bench:scopes [-- ENDED OPEN]. The CPU of `stint show` and
// `stint status` on a ledger with many scopes beside that of the same commands on one with few. Ratios are judged.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteStore } from '../src/stores/sqlite/index.ts'
import { BUILT_PROGRAM } from '../tests/house/built-program.ts'
import { childCpuMs } from './child-cpu.ts'
import { conclude, judge } from './judge.ts'
import { percentile } from './percentiles.ts'
import { printTable } from './table.ts'

const [ended = 60_000, open = 10_000] = process.argv.slice(2).map(Number)
const FEW = 200
const ROUNDS = 5
const AT_MS = 1_763_000_000_000
const BATCH = 1_000
const SUBJECTS = [
  { name: 'stint show ID', args: ['show', 'open-7'], atMost: 2 },
  { name: 'stint show, by the start of an ID', args: ['show', 'ended-0000'], atMost: 2 },
  { name: 'stint status', args: ['status'], atMost: 2 },
  { name: 'stint status --json', args: ['status', '--json'], atMost: 12 },
  { name: 'stint status --all', args: ['status', '--all'], atMost: null },
] as const

async function fill(home: string, endedScopes: number, openScopes: number): Promise<void> {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const store = createSqliteStore({ file: join(home, 'ledger.db') })
  for (const [prefix, count] of [
    ['ended', endedScopes],
    ['open', openScopes],
  ] as const) {
    for (let from = 0; from < count; from += BATCH) {
      const ids = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => idOf(prefix, from + at))
      const scopes = ids.map((id) => ({ id, name: id, kind: 'agent', owner: null, limits: [] }) as const)
      await store.open({ parentId: null, scopes, atMs: AT_MS })
      if (prefix === 'open') continue
      await Promise.all(ids.map((scopeId) => store.close({ scopeId, status: 'completed', atMs: AT_MS })))
    }
  }
  await store.dispose()
}

/** Only one begins with `ended-0000`. */
function idOf(prefix: string, at: number): string {
  return at === 0 && prefix === 'ended' ? 'ended-0000' : `${prefix}-${at}`
}

async function measure(folder: string): Promise<void> {
  const sizes = [
    { ended: FEW, open: FEW },
    { ended, open },
  ].map((size, at) => ({ ...size, home: join(folder, String(at)) }))
  for (const size of sizes) await fill(size.home, size.ended, size.open)
  const measured = SUBJECTS.map(() => sizes.map((): number[] => []))
  // The first round is not counted: it fills the cache.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, { args }] of SUBJECTS.entries()) {
      for (const [which, { home }] of sizes.entries()) {
        const env = { PATH: process.env.PATH, HOME: home, STINT_HOME: home }
        const ms = childCpuMs([process.execPath, BUILT_PROGRAM, ...args], { cwd: folder, env })
        if (round > 0) measured[at]![which]!.push(ms)
      }
    }
  }
  const medians = measured.map((each) => each.map((all) => percentile(all, 50)))
  const ratios = medians.map(([few, many]) => many! / few!)
  const [few, many] = sizes.map(
    (size) => `${size.ended.toLocaleString('en')} ended, ${size.open.toLocaleString('en')} open`,
  )
  printTable(
    `CPU of a command in ms, medians of ${ROUNDS}`,
    ['', few!, many!, 'ratio'],
    SUBJECTS.map(({ name }, at) => [name, ...medians[at]!.map((ms) => ms.toFixed(0)), `${ratios[at]!.toFixed(2)}×`]),
  )
  const verdicts = SUBJECTS.flatMap(({ name, atMost }, at) => {
    const sentence = (times: string): string => `${name} takes ${times} the CPU that it takes on a small ledger`
    return atMost === null ? [] : [judge({ sentence, value: ratios[at]!, atMost })]
  })
  conclude(verdicts)
}

const folder = mkdtempSync(join(tmpdir(), 'stint-bench-scopes-'))
try {
  await measure(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
