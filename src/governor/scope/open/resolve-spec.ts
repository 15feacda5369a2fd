import { isDeepStrictEqual } from 'node:util'
import { assertKnownOptions, InvalidOptionError, optionNames, type ScopeKind } from '../../../core/index.ts'
import {
  type ExecutionLimits,
  type LayerInput,
  type ParsedLimits,
  parseExecutionLimits,
  presetLayer,
  type ResolvedLimits,
  resolveLimits,
  type SharedLimits,
} from '../../../policy/index.ts'
import type { OpenSpec } from '../../governor.ts'

const SHARED_LIMITS = optionNames<SharedLimits>({ team: true, user: true })

/** The limits of a scope, in order: other layers, the role, the published format, then those set by hand. */
export function resolveSpec(spec: OpenSpec, kind: ScopeKind): ResolvedLimits {
  const place = { layer: 'call', call: kind === 'lasting' ? 'governor.budget' : 'governor.open' } as const
  const { limits = {} } = spec
  const layers: LayerInput[] = [...(spec.layers ?? []), ...untrustedShared(spec)]
  if (spec.preset !== undefined) layers.push(presetLayer(spec.preset))
  const published = publishedOf(spec)
  if (published !== null) layers.push(published.defaults, published.limits)
  layers.push({ ...place, field: 'limits', limits })
  if (spec.onLimit !== undefined) layers.push({ ...place, limits: { onLimit: spec.onLimit } })
  return resolveLimits(layers)
}

/** The trusted limits that a scope sets for the budgets of its caller's team and user. */
export function believedShared(spec: OpenSpec): SharedLimits {
  const published = publishedOf(spec)
  const sharedLimits: Partial<SharedLimits> = spec.sharedLimits ?? {}
  assertKnownOptions('open({ sharedLimits })', sharedLimits, SHARED_LIMITS)
  const { team = [], user = [] } = sharedLimits
  const isBelieved = ({ onlyTightens }: ParsedLimits): boolean => onlyTightens !== true
  return {
    team: [...team, published?.team ?? null].filter((limits) => limits !== null).filter(isBelieved),
    user: [...user, published?.user ?? null].filter((limits) => limits !== null).filter(isBelieved),
  }
}

/** An untrusted file cannot set a shared budget. Its limits apply to its own run, which is part of that budget. */
function untrustedShared({ sharedLimits }: OpenSpec): readonly ParsedLimits[] {
  const { team = [], user = [] } = sharedLimits ?? {}
  return [...team, ...user].filter(({ onlyTightens }) => onlyTightens === true)
}

/** The published object, under either of its names. */
function publishedOf({ executionLimits, execution_limits }: OpenSpec): ExecutionLimits | null {
  const object = executionLimits ?? execution_limits
  if (object === undefined) return null
  const isTwice = executionLimits !== undefined && execution_limits !== undefined
  if (isTwice && !isDeepStrictEqual(executionLimits, execution_limits)) {
    const form = 'the same as executionLimits: they are two names of one option. Give one of them'
    throw new InvalidOptionError('open({ execution_limits })', execution_limits, form)
  }
  const field = executionLimits === undefined ? 'execution_limits' : 'executionLimits'
  return parseExecutionLimits(object, { layer: 'call', call: 'governor.open', field })
}
