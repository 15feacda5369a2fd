import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { loadStage } from '../load-stage.ts'
import { runSeeds } from '../program/run-seeds.ts'
import { SOURCE } from '../source-folder.ts'
import { findPlace } from './find-place.ts'
import type { Mutant } from './mutant.ts'
import { plantMutant } from './plant-mutant.ts'

/** How many seeds, or tests, it took to find a planted bug out. */
export interface Hunt {
  /** What it was found out by; `null` if it was not. */
  readonly caughtBy: string | null
}

/** Plants a bug, and plays seeds until something is wrong, or runs the test that is to catch it. */
export function huntMutant(mutant: Mutant, most: number): Hunt | Promise<Hunt> {
  return mutant.caughtBy === undefined ? huntWithSeeds(mutant, most) : huntWithTests(mutant, mutant.caughtBy)
}

async function huntWithSeeds(mutant: Mutant, most: number): Promise<Hunt> {
  const planted = plantMutant(mutant)
  try {
    const { product, stores, end } = await loadStage(mutant.store ?? 'memory', planted.variant)
    const { seeds, failed } = await runSeeds(product, stores, { first: 1, count: most }).finally(end)
    const [message] = failed?.violation?.message.split('\n', 1) ?? []
    return { caughtBy: message === undefined ? null : `seed ${seeds}, ${message}` }
  } finally {
    planted.remove()
  }
}

/** Only a test that fails counts: a file that could not be run has caught nothing. */
function huntWithTests(mutant: Mutant, testFile: string): Hunt {
  findPlace(mutant)
  const root = join(SOURCE, '..')
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter', 'json', testFile]
  const env = { ...process.env, STINT_PLANTED_BUG: mutant.name }
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' })
  const start = stdout.indexOf('{"numTotalTestSuites"')
  if (start === -1) throw new Error(`"${mutant.name}": ${testFile} could not be run:\n${stdout}${stderr}`)
  const { testResults } = JSON.parse(stdout.slice(start)) as JsonReport
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  if (tests.length === 0) throw new Error(`"${mutant.name}": ${testFile} has no tests; is that still its path?`)
  const failed = tests.find(({ status }) => status === 'failed')
  return { caughtBy: failed === undefined ? null : `${testFile}, "${failed.fullName}"` }
}

interface JsonReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}
