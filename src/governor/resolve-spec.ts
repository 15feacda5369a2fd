import { InvalidOptionError, type ScopeKind } from '../core/index.ts'
import {
  type LayerInput,
  parseExecutionLimits,
  presetLayer,
  type ResolvedLimits,
  resolveLimits,
} from '../policy/index.ts'
import type { OpenSpec } from './governor.ts'

/** The limits of a scope: those of its surroundings, the role's, the published form, then what was written by hand. */
export function resolveSpec(spec: OpenSpec, kind: ScopeKind): ResolvedLimits {
  const place = { layer: 'call', call: kind === 'lasting' ? 'governor.budget' : 'governor.open' } as const
  const layers: LayerInput[] = [...(spec.layers ?? [])]
  if (spec.preset !== undefined) layers.push(presetLayer(spec.preset))
  if (spec.executionLimits !== undefined) layers.push(...publishedLayers(spec.executionLimits))
  layers.push({ ...place, field: 'limits', limits: spec.limits ?? {} })
  if (spec.onLimit !== undefined) layers.push({ ...place, limits: { onLimit: spec.onLimit } })
  return resolveLimits(layers)
}

/** Budgets of a team or a user are no limits of this scope: read past, they would hold for nobody. */
function publishedLayers(object: unknown): readonly LayerInput[] {
  const place = { layer: 'call', call: 'governor.open', field: 'executionLimits' } as const
  const { limits, defaults, team, user } = parseExecutionLimits(object, place)
  const shared = team === null ? (user === null ? null : 'user_budget_usd') : 'team_budget_usd'
  if (shared === null) return [defaults, limits]
  const form = "a budget of its own: open({ within: await governor.budget('team:core', { limits: { cost: 100 } }) })"
  throw new InvalidOptionError(`open({ executionLimits }).${shared}`, (object as Record<string, unknown>)[shared], form)
}
