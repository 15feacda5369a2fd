import { type AgentLimits, inLayer, onlyTightens, presetLayer } from '../../policy/index.ts'
import { trustedLimits } from '../../trust/index.ts'
import type { AgentClaims } from './agent-claims.ts'

/** The limits of an agent's file or override, so that what is not believed of them only tightens. */
export function restrainLimits(said: readonly AgentLimits[], claims: AgentClaims): readonly AgentLimits[] {
  return said.flatMap((limits) => {
    const place = { ...claims.file, path: [...claims.path, 'limits'] }
    const [first = onlyTightens(limits.limits), ...rest] = trustedLimits(limits.limits, place, claims.trust)
    const others = rest.map((part): AgentLimits => ({ defaults: null, limits: part, team: null, user: null }))
    const own = { limits: first, defaults: restrainDefaults(limits.defaults, claims) }
    const team = restrainShared(limits.team, 'team_budget_usd', claims)
    const user = restrainShared(limits.user, 'user_budget_usd', claims)
    return [{ ...own, team, user }, ...others]
  })
}

/** A file that is not believed sets no budget for others: its figure only tightens the run. */
function restrainShared(limits: AgentLimits['team'], name: string, claims: AgentClaims): AgentLimits['team'] {
  if (limits === null) return null
  const [restrained = null] = trustedLimits(limits, { ...claims.file, path: [...claims.path, name] }, claims.trust)
  return restrained
}

/** The published defaults beside an `execution_limits` object are weaker than every limit that a person wrote. */
function restrainDefaults(defaults: AgentLimits['defaults'], claims: AgentClaims): AgentLimits['defaults'] {
  if (defaults === null) return null
  const allows = 'takes the published defaults of execution_limits instead of those of its role'
  const isBelieved = claims.believes({ steps: ['execution_limits'], value: true, allows })
  return isBelieved ? defaults : onlyTightens(defaults)
}

/** The limits of a role that a file names and is not believed for: they hold where they are the tighter ones. */
export function presetThatTightens(preset: string): AgentLimits {
  return { defaults: null, limits: onlyTightens(inLayer(presetLayer(preset), 'preset')), team: null, user: null }
}
