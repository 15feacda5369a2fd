// The SQLite store beside that of another checkout, in turns: node store-beside.ts CHECKOUT. Prints ratios.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { printTable } from './table.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('./store-run.ts', import.meta.url))
const here = fileURLToPath(new URL('..', import.meta.url))
const [other] = process.argv.slice(2)
if (other === undefined) {
  console.error('Which checkout to compare with? node bench/store-beside.ts PATH')
  process.exit(2)
}

const ROUNDS = 5
const ROUND_MS = '2000'
const PROCESSES = 4

interface Measured {
  readonly pairsPerSecond: number
  readonly cpuMicrosPerPair: number
}

async function measure(checkout: string, folder: string, callers: number, scope: readonly string[] = []) {
  const { stdout } = await run(process.execPath, [program, checkout, folder, `${callers}`, ROUND_MS, ...scope])
  return JSON.parse(stdout) as Measured
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'stint-beside-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function cpuOf(checkout: string, callers: number): Promise<number> {
  return inFolder(async (folder) => (await measure(checkout, folder, callers)).cpuMicrosPerPair)
}

/** What several processes get done on one file together, and the least share of one of them. */
async function together(checkout: string): Promise<{ readonly rate: number; readonly leastShare: number }> {
  return inFolder(async (folder) => {
    await run(process.execPath, [program, checkout, folder, '1', '10'])
    const each = await Promise.all(Array.from({ length: PROCESSES }, () => measure(checkout, folder, 8, ['scope-3'])))
    const rates = each.map(({ pairsPerSecond }) => pairsPerSecond)
    const rate = rates.reduce((sum, one) => sum + one, 0)
    return { rate, leastShare: Math.min(...rates) / (rate / PROCESSES) }
  })
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!
}

const [lone, many, shared]: [number[][], number[][], Awaited<ReturnType<typeof together>>[][]] = [[], [], []]
for (let round = 0; round < ROUNDS; round++) {
  lone.push([await cpuOf(other, 1), await cpuOf(here, 1)])
  many.push([await cpuOf(other, 32), await cpuOf(here, 32)])
  shared.push([await together(other), await together(here)])
}

function rowOf(name: string, rounds: readonly (readonly number[])[], wanted: string): readonly string[] {
  const [before, now] = [0, 1].map((place) => median(rounds.map((round) => round[place]!)))
  return [name, before!.toFixed(0), now!.toFixed(0), `${(now! / before!).toFixed(2)}×`, wanted]
}

const rates = shared.map((round) => round.map(({ rate }) => rate))
printTable(
  'Reserve and settle on 4 scopes, medians of rounds in turns',
  ['', 'other', 'here', 'ratio', 'wanted'],
  [
    rowOf('1 caller, CPU µs a pair', lone, 'at most 1.00×'),
    rowOf('32 callers, CPU µs a pair', many, 'at most 1.25×'),
    rowOf(`${PROCESSES} processes × 8 callers, pairs/s`, rates, 'at least 2×'),
  ],
)
const least = Math.min(...shared.map((round) => round[1]!.leastShare))
console.log(`No process had less than ${(100 * least).toFixed(0)} % of its share (at least 50 %).`)
