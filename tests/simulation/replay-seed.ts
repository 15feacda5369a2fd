import { loadStage, type StoreName } from './load-stage.ts'
import { runSeed, type SeedResult } from './program/run-seed.ts'

/** A seed that was played twice. */
export interface Replay {
  readonly result: SeedResult
  /** Whether the very same happened both times. */
  readonly isSame: boolean
}

/** Plays a seed, and plays it again. */
export async function replaySeed(seed: number, store: StoreName): Promise<Replay> {
  const { product, stores, end } = await loadStage(store)
  const result = await runSeed(product, stores, seed)
  const again = await runSeed(product, stores, seed)
  await end()
  return { result, isSame: result.hash() === again.hash() }
}
