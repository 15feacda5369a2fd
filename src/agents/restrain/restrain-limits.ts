import { type AgentLimits, inLayer, onlyTightens, presetLayer } from '../../policy/index.ts'
import { trustedLimits } from '../../trust/index.ts'
import type { AgentClaims } from './agent-claims.ts'

const NOTHING = { defaults: null, team: null, user: null, askAbove: [] } as const

/** The limits of an agent's file or override, where those that are not trusted can only tighten. */
export function restrainLimits(all: readonly AgentLimits[], claims: AgentClaims): readonly AgentLimits[] {
  return all.flatMap((limits) => {
    const place = { ...claims.file, path: [...claims.path, 'limits'] }
    const [first = onlyTightens(limits.limits), ...rest] = trustedLimits(limits.limits, place, claims.trust)
    const others = rest.map((part): AgentLimits => ({ ...NOTHING, limits: part }))
    const own = { limits: first, defaults: restrainDefaults(limits.defaults, claims) }
    const team = restrainShared(limits.team, 'team_budget_usd', claims)
    const user = restrainShared(limits.user, 'user_budget_usd', claims)
    const asking = { ...claims.file, path: [...claims.path, 'askAbove'] }
    const askAbove = limits.askAbove.flatMap((each) => trustedLimits(each, asking, claims.trust))
    return [{ ...own, team, user, askAbove }, ...others]
  })
}

/** An untrusted file cannot set a shared budget: its amount only tightens the run. */
function restrainShared(limits: AgentLimits['team'], name: string, claims: AgentClaims): AgentLimits['team'] {
  if (limits === null) return null
  const [restrained = null] = trustedLimits(limits, { ...claims.file, path: [...claims.path, name] }, claims.trust)
  return restrained
}

/** The published defaults of an `execution_limits` object need trust too: they replace those of the agent's role. */
function restrainDefaults(defaults: AgentLimits['defaults'], claims: AgentClaims): AgentLimits['defaults'] {
  if (defaults === null) return null
  const allows = 'takes the published defaults of execution_limits instead of those of its role'
  const isAccepted = claims.accepts({ steps: ['execution_limits'], value: true, allows })
  return isAccepted ? defaults : onlyTightens(defaults)
}

/** The limits of a preset that an untrusted file names: they can only tighten. */
export function presetThatTightens(preset: string): AgentLimits {
  return { ...NOTHING, limits: onlyTightens(inLayer(presetLayer(preset), 'preset')) }
}
