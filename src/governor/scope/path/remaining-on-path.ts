import { isEnforced, type Meter } from '../../../core/index.ts'
import type { ScopeRuntime } from '../scope-runtime.ts'
import { standingsOnPath } from './path-standings.ts'

/** What is left of each limited meter on the tightest scope of the path. Limits that only warn do not count. */
export async function remainingOnPath(runtime: ScopeRuntime): Promise<ReadonlyMap<Meter, number>> {
  const left = new Map<Meter, number>()
  for (const { meter, remaining, action } of await standingsOnPath(runtime)) {
    if (isEnforced(action)) left.set(meter, Math.min(remaining, left.get(meter) ?? remaining))
  }
  return left
}
