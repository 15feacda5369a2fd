import { isEnforced, type Limit } from '../../core/index.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/** A limit that refuses, and the scope that it is on. */
export interface EnforcedLimit {
  readonly scopePath: string
  readonly limit: Limit
}

/** The limits of a path that refuse, the root's first. */
export function enforcedOnPath({ rootToSelf }: ScopeRuntime): readonly EnforcedLimit[] {
  return rootToSelf.flatMap(({ path, limits }) =>
    limits.filter(({ action }) => isEnforced(action)).map((limit) => ({ scopePath: path, limit })),
  )
}
