import { isEnforced, type Limit, type Meter } from '../../core/index.ts'
import { DEFAULT_PHASE } from '../../pricing/amounts-from-usage.ts'
import type { Phase } from '../../pricing/index.ts'

// What no step of a loop is sure to spend.
const NEVER: readonly Meter[] = ['spawns', 'depth', 'concurrency', 'idleTime']
const OF_PHASES: readonly Meter[] = ['planningCost', 'executionCost']

/** Whether the limits of a scope bound a loop by themselves, whatever its steps are: each counts on one of them. */
export function endsLoops(limits: readonly Limit[], phase: Phase | ((step: never) => Phase) | undefined): boolean {
  const enforced = limits.filter(({ action }) => isEnforced(action)).map(({ meter }) => meter)
  if (enforced.some((meter) => !NEVER.includes(meter) && !OF_PHASES.includes(meter))) return true
  if (typeof phase === 'function') return OF_PHASES.every((meter) => enforced.includes(meter))
  return enforced.includes(`${phase ?? DEFAULT_PHASE}Cost`)
}
