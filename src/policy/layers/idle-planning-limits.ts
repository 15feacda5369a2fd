import { isEnforced } from '../../core/limits/action.ts'
import type { Limit } from '../../core/limits/limit.ts'

/** Warnings about planning limits on a run without planning calls: such a limit only seems to limit the run. */
export function idlePlanningLimits(limits: readonly Limit[]): readonly string[] {
  return limits
    .filter(({ meter, action }) => meter === 'planningCost' && isEnforced(action))
    .map(({ source }) => {
      const calls = 'every call of this run counts as execution, none as planning'
      return `${source.written} has no effect here: ${calls}. Limit executionCost or cost.`
    })
}
