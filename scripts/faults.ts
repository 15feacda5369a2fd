// Real kills: npm run faults -- --kills N [--workers 4] [--seed 1]. Exits 0 only if nothing was lost.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runKills } from '../tests/faults/run-kills.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '300' },
    workers: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const [kills, workers, seed] = [values.kills, values.workers, values.seed].map(Number)
if (![kills, workers, seed].every((value) => Number.isSafeInteger(value) && value! > 0)) {
  console.error('--kills, --workers and --seed are whole numbers above 0, e.g. npm run faults -- --kills 300')
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'stint-faults-'))
const startedAt = performance.now()
const report = await runKills({
  file: join(folder, 'ledger.db'),
  kills: kills!,
  workers: workers!,
  seed: seed!,
  say: (line) => console.log(line),
})
const seconds = (performance.now() - startedAt) / 1_000

console.log(`\n${report.kills} kills of ${workers} workers on one ledger in ${seconds.toFixed(0)} s (seed ${seed})`)
for (const [point, count] of Object.entries(report.byPoint)) console.log(`  ${String(count).padStart(6)}  ${point}`)
console.log(
  `${report.granted} granted and ${report.settled} settled acknowledged, ${report.breaches} breached; ` +
    `${report.assumed} orphans assumed, each once; ${report.adopted} runs taken up again; ` +
    `${report.pruned} prunings; ${report.entries} journal entries verified in ${report.checks} checks`,
)
console.log(`${report.problems.length === 0 ? 'Nothing was lost.' : `${report.problems.length} PROBLEMS:`}`)
for (const problem of report.problems.slice(0, 50)) console.log(`  ${problem}`)
// What is left of a failure can be looked at.
if (report.problems.length === 0) rmSync(folder, { recursive: true, force: true })
else console.log(`The ledger is in ${folder}.`)
process.exitCode = report.problems.length === 0 ? 0 : 1
