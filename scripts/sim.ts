// Deterministic simulation: npm run sim -- --seeds N [--first 1] [--store memory|sqlite|postgres] [--seed S] [--mutant NAME|all].
// Exits 0 only if every seed holds, or with --mutant if every planted bug is caught.
import { parseArgs } from 'node:util'
import { loadStage, STORE_NAMES, type StoreName } from '../tests/simulation/load-stage.ts'
import { huntMutant } from '../tests/simulation/mutants/hunt-mutant.ts'
import { MUTANTS } from '../tests/simulation/mutants/mutants.ts'
import { runSeeds } from '../tests/simulation/program/run-seeds.ts'
import { replaySeed } from '../tests/simulation/replay-seed.ts'
import { faultOfRun, reportTotals } from '../tests/simulation/report-totals.ts'

const MUTANT_SEEDS = 1_000

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string', default: '' },
    store: { type: 'string', default: 'memory' },
    mutant: { type: 'string', default: '' },
  },
})
function refuse(message: string): never {
  console.error(message)
  process.exit(2)
}

function wholeNumber(name: 'seeds' | 'first' | 'seed'): number {
  const value = Number(values[name])
  if (Number.isSafeInteger(value) && value >= 1) return value
  return refuse(`--${name} ${values[name]}: it is a whole number above 0, e.g. npm run sim -- --${name} 20`)
}

const store: StoreName =
  STORE_NAMES.find((name) => name === values.store) ??
  refuse(`--store ${values.store}: it is memory, sqlite or postgres`)

async function replay(): Promise<boolean> {
  const { result, isSame } = await replaySeed(wholeNumber('seed'), store)
  console.log(result.lines().join('\n'))
  if (result.violation !== null) console.log(result.violation.stack)
  console.log(`${result.events} events, hash ${result.hash()}${isSame ? '' : ', and another one the second time'}`)
  return result.violation === null && isSame
}

async function hunt(): Promise<boolean> {
  const { mutant: name } = values
  const mutants = MUTANTS.filter((each) => name === 'all' || each.name.includes(name) || each.in === name)
  if (mutants.length === 0) refuse(`--mutant ${name}: no planted bug has such a name, or is in a function of that name`)
  let caught = 0
  for (const mutant of mutants) {
    const { caughtBy } = await huntMutant(mutant, MUTANT_SEEDS)
    if (caughtBy !== null) caught++
    console.log(`${mutant.name}: ${caughtBy?.slice(0, 140) ?? 'NOT CAUGHT'}`)
  }
  console.log(`${caught} of ${mutants.length} mutants caught`)
  return caught === mutants.length
}

async function run(): Promise<boolean> {
  const startedMs = performance.now()
  const { product, stores, end } = await loadStage(store)
  const seeds = { first: wholeNumber('first'), count: wholeNumber('seeds') }
  const totals = await runSeeds(product, stores, seeds).finally(end)
  const fault = faultOfRun(totals, store)
  if (fault !== null) console.log(fault)
  console.log(reportTotals(totals, store, performance.now() - startedMs))
  return fault === null
}

const isSound = await (values.mutant !== '' ? hunt() : values.seed !== '' ? replay() : run())
process.exitCode = isSound ? 0 : 1
