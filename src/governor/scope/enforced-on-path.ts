import { InvalidOptionError, isEnforced, type Limit } from '../../core/index.ts'
import type { Scope } from '../governor.ts'
import { runtimeBehind } from './scope-handle.ts'

/** A limit that refuses, and the scope that it is on. */
export interface EnforcedLimit {
  readonly scopePath: string
  readonly limit: Limit
}

/** The limits of a path that refuse, the root's first. */
export function enforcedOnPath(scope: Scope): readonly EnforcedLimit[] {
  const runtime = runtimeBehind(scope)
  if (runtime === null) throw new InvalidOptionError('enforcedOnPath(scope)', scope, 'a scope of a governor')
  return runtime.rootToSelf.flatMap(({ path, limits }) =>
    limits.filter(({ action }) => isEnforced(action)).map((limit) => ({ scopePath: path, limit })),
  )
}
