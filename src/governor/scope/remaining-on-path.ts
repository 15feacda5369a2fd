import { InvalidOptionError, isEnforced, type Meter } from '../../core/index.ts'
import type { Scope } from '../governor.ts'
import { standingsOnPath } from './path-standings.ts'
import { runtimeBehind } from './scope-handle.ts'

/** What is left of each limited meter on the tightest scope of the path. Limits that only warn hold nobody back. */
export async function remainingOnPath(scope: Scope): Promise<ReadonlyMap<Meter, number>> {
  const runtime = runtimeBehind(scope)
  if (runtime === null) throw new InvalidOptionError('remainingOnPath(scope)', scope, 'a scope of a governor')
  const left = new Map<Meter, number>()
  for (const { meter, remaining, action } of await standingsOnPath(runtime)) {
    if (isEnforced(action)) left.set(meter, Math.min(remaining, left.get(meter) ?? remaining))
  }
  return left
}

/** Whether somebody runs an agent in a scope; `false` for a lasting one, which many spend from. */
export function runsAgent(scope: Scope): boolean {
  const runtime = runtimeBehind(scope)
  if (runtime === null) throw new InvalidOptionError('runsAgent(scope)', scope, 'a scope of a governor')
  return runtime.kind !== 'lasting'
}
