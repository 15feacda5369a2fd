import { isEnforced } from '../core/action.ts'
import type { Limit } from '../core/limit.ts'

/** What to say of limits on planning where no call can be a planning call: such a limit would seem to hold the run. */
export function idlePlanningLimits(limits: readonly Limit[]): readonly string[] {
  return limits
    .filter(({ meter, action }) => meter === 'planningCost' && isEnforced(action))
    .map(({ source }) => {
      const calls = 'every call of this run counts as execution, and none as planning'
      return `${source.written} holds nothing here: ${calls}. Limit executionCost or cost.`
    })
}
