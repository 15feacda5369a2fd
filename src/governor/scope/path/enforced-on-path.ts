import { isEnforced, type Limit } from '../../../core/index.ts'
import type { ScopeRuntime } from '../scope-runtime.ts'

/** An enforced limit, and its scope. */
export interface EnforcedLimit {
  readonly scopePath: string
  readonly limit: Limit
}

/** The enforced limits of a path, root first. */
export function enforcedOnPath({ rootToSelf }: ScopeRuntime): readonly EnforcedLimit[] {
  return rootToSelf.flatMap(({ path, limits }) =>
    limits.filter(({ action }) => isEnforced(action)).map((limit) => ({ scopePath: path, limit })),
  )
}
