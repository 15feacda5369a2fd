import { loadStage, SOURCE } from '../load-stage.ts'
import { runSeeds } from '../program/run-seeds.ts'
import type { Mutant } from './mutant.ts'
import { plantMutant } from './plant-mutant.ts'

/** Whether a planted bug was found out. */
export interface Hunt {
  readonly seeds: number
  /** What it was found out by; `null` if it was not. */
  readonly caughtBy: string | null
}

/** Plants a bug in a copy of the source, and plays seeds until something is wrong. */
export async function huntMutant(mutant: Mutant, most: number, source: string = SOURCE): Promise<Hunt> {
  const planted = plantMutant(source, mutant)
  try {
    const { product, stores } = await loadStage(mutant.store ?? 'memory', planted.source)
    const { seeds, failed } = await runSeeds(product, stores, { first: 1, count: most })
    return { seeds, caughtBy: failed?.violation?.message.split('\n', 1)[0] ?? null }
  } finally {
    planted.remove()
  }
}
