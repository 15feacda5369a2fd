import { isEnforced, type Limit } from '../../../core/index.ts'
import { isClockLimit, type ScopeRuntime } from '../scope-runtime.ts'
import { limitsOnPath } from './path-standings.ts'

/** What the limits on the path of a call require. Without any, a request stays unchanged. */
export interface PathLimits {
  readonly hasAny: boolean
  /** At least one limit refuses calls instead of only warning. */
  readonly isEnforced: boolean
  /** An enforced limit counts the output of a call. */
  readonly boundsOutput: boolean
  /** An enforced limit counts tool calls. */
  readonly boundsTools: boolean
  /** An enforced limit counts money, which provider-run tools also cost. */
  readonly boundsCost: boolean
  /** A time limit is set. */
  readonly hasClock: boolean
}

const NONE: PathLimits = {
  hasAny: false,
  isEnforced: false,
  boundsOutput: false,
  boundsTools: false,
  boundsCost: false,
  hasClock: false,
}

const LOOKED_AT = new WeakMap<readonly Limit[], PathLimits>()

/** Examines the limits that apply to a scope. */
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
    hasClock: limits.some(isClockLimit),
  }
}
