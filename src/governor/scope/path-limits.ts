import { isEnforced, type Limit } from '../../core/index.ts'
import { limitsOnPath } from './path-standings.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/** What the limits on the path of a call make necessary. Without any, nothing of a request changes. */
export interface PathLimits {
  readonly hasAny: boolean
  /** Something is refused at some point: limits that only warn do not do that. */
  readonly isEnforced: boolean
  /** The output of a call counts on a limit that is enforced. */
  readonly boundsOutput: boolean
  /** Tool calls count on a limit that is enforced. */
  readonly boundsTools: boolean
  /** So does money, of which tools that the provider runs take some. */
  readonly boundsCost: boolean
}

const NONE: PathLimits = {
  hasAny: false,
  isEnforced: false,
  boundsOutput: false,
  boundsTools: false,
  boundsCost: false,
}

const LOOKED_AT = new WeakMap<readonly Limit[], PathLimits>()

/** Looks at the limits that a scope is held to. */
export function pathLimits(runtime: ScopeRuntime): PathLimits {
  const limits = limitsOnPath(runtime)
  const known = LOOKED_AT.get(limits)
  if (known !== undefined) return known
  const found = lookAt(limits)
  LOOKED_AT.set(limits, found)
  return found
}

function lookAt(limits: readonly Limit[]): PathLimits {
  if (limits.length === 0) return NONE
  const enforced = new Set<string>()
  for (const { meter, action } of limits) if (isEnforced(action)) enforced.add(meter)
  const boundsCost = enforced.has('cost') || enforced.has('planningCost') || enforced.has('executionCost')
  const boundsTokens = enforced.has('tokens') || enforced.has('outputTokens') || enforced.has('uncachedTokens')
  return {
    hasAny: true,
    isEnforced: enforced.size > 0,
    boundsOutput: boundsCost || boundsTokens,
    boundsTools: enforced.has('toolCalls'),
    boundsCost,
  }
}
