import type { OpenSpec } from '../governor.ts'
import { budgetAbove, refuseUnnamed } from './caller-budget.ts'
import { currentPlace } from './current-scope.ts'
import { believedShared } from './resolve-spec.ts'
import { runtimeBehind } from './scope-handle.ts'

/**
 * Refuses a cost limit for the caller's team or user where it is not known who that is. `governor.open` does that, too:
 * this is for those who keep records of a run before they open it.
 */
export function assertCallerNamed(spec: Pick<OpenSpec, 'within' | 'team' | 'user' | 'sharedLimits'>): void {
  const { within } = spec
  const parent = within === undefined ? (currentPlace()?.scope ?? null) : within === null ? null : runtimeBehind(within)
  const shared = believedShared({ ...spec, name: '' })
  for (const kind of ['team', 'user'] as const) {
    if (spec[kind] === undefined && budgetAbove(parent, kind) === null) refuseUnnamed(kind, shared[kind])
  }
}
