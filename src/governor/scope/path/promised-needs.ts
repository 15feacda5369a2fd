import type { Amounts, CounterMeter } from '../../../core/index.ts'
import type { ScopeRuntime } from '../scope-runtime.ts'

/**
 * Records what `count` children below a scope were admitted for and have not yet reserved. Admission reserves nothing,
 * so otherwise a whole fan-out would be admitted on the same room, and the last child could not pay for a single call.
 * Returns a function that undoes this if they are not admitted after all.
 */
export function promiseNeeds(parent: ScopeRuntime, needs: Amounts, count: number): () => void {
  addTo(parent, needs, count)
  return () => addTo(parent, needs, -count)
}

/** The child has made its first call, or ends: from here on, the ledger has what it takes. */
export function keepPromise(child: ScopeRuntime): void {
  const { needs, parent, context } = child
  if (needs === null || parent === null) return
  child.needs = null
  addTo(parent, needs, -1)
  context.line.wake(parent.pathIds)
}

/** An admitted child does not exist after all: its parent has ended, or another caller has opened it. */
export function forgetPromise(parent: ScopeRuntime | null, needs: Amounts | null): void {
  if (parent !== null && needs !== null) addTo(parent, needs, -1)
}

/** What is promised to others on the path, of the meters that a further child needs. */
export function promisedOnPath(parent: ScopeRuntime, needs: Amounts): Amounts {
  const promised: Partial<Record<CounterMeter, number>> = {}
  for (const meter of Object.keys(needs) as CounterMeter[]) {
    promised[meter] = Math.max(...parent.rootToSelf.map((scope) => scope.promised[meter] ?? 0))
  }
  return promised
}

function addTo(parent: ScopeRuntime, needs: Amounts, times: number): void {
  for (const { promised } of parent.rootToSelf) {
    for (const [meter, amount] of Object.entries(needs) as [CounterMeter, number][]) {
      promised[meter] = Math.max(0, (promised[meter] ?? 0) + times * amount)
    }
  }
}
