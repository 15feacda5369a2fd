import { type AgentLimits, inLayer, onlyTightens, presetLayer } from '../../policy/index.ts'
import { trustedLimits } from '../../trust/index.ts'
import type { AgentClaims } from './agent-claims.ts'

/** The limits of an agent's file or override, so that what is not believed of them only tightens. */
export function restrainLimits(said: readonly AgentLimits[], claims: AgentClaims): readonly AgentLimits[] {
  return said.flatMap((limits) => {
    const place = { ...claims.file, path: [...claims.path, 'limits'] }
    const [first = onlyTightens(limits.limits), ...rest] = trustedLimits(limits.limits, place, claims.trust)
    const others = rest.map((part): AgentLimits => ({ defaults: null, limits: part, team: null, user: null }))
    return [{ ...limits, limits: first, defaults: restrainDefaults(limits.defaults, claims) }, ...others]
  })
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
