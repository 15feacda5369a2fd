import type { Product } from '../product.ts'
import { FAULT_KINDS, type FaultKind } from './fault-kind.ts'
import { runSeed, type SeedResult } from './run-seed.ts'
import type { Stores } from './stores.ts'

/** What many seeds came to. */
export interface Totals {
  seeds: number
  processes: number
  calls: number
  events: number
  readonly faults: Map<FaultKind, number>
  /** The first seed that went wrong ends the run. */
  failed: SeedResult | null
}

/** Plays one seed after the other, up to the first that goes wrong. */
export async function runSeeds(
  product: Product,
  stores: Stores,
  seeds: { readonly first: number; readonly count: number },
): Promise<Totals> {
  const totals: Totals = { seeds: 0, processes: 0, calls: 0, events: 0, faults: new Map(), failed: null }
  for (let seed = seeds.first; seed < seeds.first + seeds.count && totals.failed === null; seed++) {
    const result = await runSeed(product, stores, seed)
    totals.seeds++
    totals.processes += result.processes
    totals.calls += result.calls
    totals.events += result.events
    for (const [kind, count] of result.faults) totals.faults.set(kind, (totals.faults.get(kind) ?? 0) + count)
    if (result.violation !== null) totals.failed = result
  }
  return totals
}

/** The faults that never struck. After more than a few seeds there must be none. */
export function missingFaults({ faults }: Totals): readonly FaultKind[] {
  return FAULT_KINDS.filter((kind) => (faults.get(kind) ?? 0) === 0)
}
