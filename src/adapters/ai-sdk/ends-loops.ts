import { isEnforced, type Limit, type Meter } from '../../core/index.ts'
import type { Phase } from '../../pricing/index.ts'
import { DEFAULT_PHASE } from '../../pricing/usage/amounts-from-usage.ts'

// Meters that a step does not necessarily use.
const NEVER: readonly Meter[] = ['spawns', 'depth', 'concurrency', 'idleTime']
const OF_PHASES: readonly Meter[] = ['planningCost', 'executionCost']

/** Whether a scope's limits bound a loop by themselves, whatever its steps do: every step counts on one of them. */
export function endsLoops(limits: readonly Limit[], phase: Phase | ((step: never) => Phase) | undefined): boolean {
  const enforced = limits.filter(({ action }) => isEnforced(action)).map(({ meter }) => meter)
  if (enforced.some((meter) => !NEVER.includes(meter) && !OF_PHASES.includes(meter))) return true
  if (typeof phase === 'function') return OF_PHASES.every((meter) => enforced.includes(meter))
  return enforced.includes(`${phase ?? DEFAULT_PHASE}Cost`)
}
