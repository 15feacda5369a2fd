import type { LedgerStore } from '../../../src/core/index.ts'
import { demand } from '../world/violation.ts'
import { addTo, type Vector, vectorFrom, zeros } from './meters.ts'
import type { WitnessScope } from './records.ts'
import type { Books } from './witness.ts'

const HOUR_MS = 3_600_000
const LAST_MS = Date.UTC(9999, 0)

interface Sum {
  calls: number
  readonly charged: Vector
}

/** Whether the hourly sums of each tree are what its calls were charged, each in the hour of its reservation. */
export async function compareSums({ reservations }: Books, observer: LedgerStore): Promise<void> {
  const due = new Map<string, Sum>()
  for (const { scope, state, charged, atMs } of reservations.values()) {
    if (charged === null || (state !== 'settled' && state !== 'assumed')) continue
    add(due, `${atMs - (atMs % HOUR_MS)} of ${rootOf(scope).id}`, 1, charged)
  }
  const found = new Map<string, Sum>()
  for (const { hourMs, rootId, calls, amounts, costs } of await observer.sums({ sinceMs: 0, untilMs: LAST_MS })) {
    add(found, `${hourMs} of ${rootId}`, calls, vectorFrom(amounts))
    const parts = Object.values(costs).reduce((sum, part) => sum + part, 0)
    demand(parts === (amounts.cost ?? 0), 'totals add up', () => {
      return `the parts of a cost of ${amounts.cost} in the hour ${hourMs} add up to ${parts}`
    })
  }
  for (const key of new Set([...found.keys(), ...due.keys()])) {
    const [there, wanted] = [textOf(found.get(key)), textOf(due.get(key))]
    demand(there === wanted, 'totals add up', () => `the sums of the hour ${key} are ${there}, but it was ${wanted}`)
  }
}

function add(sums: Map<string, Sum>, key: string, calls: number, charged: Vector): void {
  const sum = sums.get(key) ?? { calls: 0, charged: zeros() }
  sums.set(key, sum)
  sum.calls += calls
  addTo(sum.charged, charged)
}

function textOf(sum: Sum | undefined): string {
  return sum === undefined ? 'none' : `${sum.calls} calls with ${sum.charged.join(' ')}`
}

function rootOf(scope: WitnessScope): WitnessScope {
  let at = scope
  while (at.parent !== null) at = at.parent
  return at
}
