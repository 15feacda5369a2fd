import type { OpenSpec } from '../../governor.ts'
import { currentPlace } from '../current-scope.ts'
import { runtimeBehind } from '../scope-handle.ts'
import { budgetAbove, refuseUnnamed } from './caller-budget.ts'
import { believedShared } from './resolve-spec.ts'

/**
 * Refuses a cost limit for the caller's team or user if that is unknown. `governor.open` checks this too; this function
 * is for callers that record a run before they open it.
 */
export function assertCallerNamed(spec: Pick<OpenSpec, 'within' | 'team' | 'user' | 'sharedLimits'>): void {
  const { within } = spec
  const parent = within === undefined ? (currentPlace()?.scope ?? null) : within === null ? null : runtimeBehind(within)
  const shared = believedShared({ ...spec, name: '' })
  for (const kind of ['team', 'user'] as const) {
    if (spec[kind] === undefined && budgetAbove(parent, kind) === null) refuseUnnamed(kind, shared[kind])
  }
}
