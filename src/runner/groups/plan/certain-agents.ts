import type { PlannedStep } from './plan.ts'
import { sumOf, timesOf } from './worst-case.ts'

/**
 * How many agents steps start at most. Excludes those that agents start without a limit, which are asked about then.
 */
export function certainAgents(steps: readonly PlannedStep[]): number {
  const children = steps.flatMap((step) => step.children)
  return sumOf(children.map(({ count, spawns }) => timesOf(1 + (spawns ?? 0), count))) ?? Number.MAX_SAFE_INTEGER
}
