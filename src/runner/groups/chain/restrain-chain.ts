import type { Acceptance } from '../../../agents/index.ts'
import type { AgentClaims } from '../../../agents/restrain/agent-claims.ts'
import { restrainAcceptance } from '../../../agents/restrain/restrain-acceptance.ts'
import { isSafeTool, toolName } from '../../../agents/restrain/tool-names.ts'
import { fieldName } from '../../../documents/index.ts'
import { onlyTightens, type ParsedLimits } from '../../../policy/index.ts'
import { trustedLimits } from '../../../trust/index.ts'
import { type Chain, type ChainStep, type ChildStep, type Share, tagChain } from './chain.ts'

/** A chain of a project's file, without what it is not trusted with: it gives no agent more than that has anyway. */
export function restrainChain(chain: Chain, claims: AgentClaims): Chain {
  const untrustedModels: Record<string, string> = {}
  const restrained = chain.steps.map((step, index): ChainStep => {
    const child = (given: ChildStep, at: string): ChildStep => restrainChild(given, fieldName('steps', index) + at)
    if (step.kind === 'sequential') return { ...step, child: child(step.child, '') }
    const share = restrainShare(step.share, `${fieldName('steps', index)}.share`)
    if (step.kind === 'expand') return { ...step, share, child: child(step.child, '.parallel') }
    const children = step.children.map((each, place) => child(each, `.${fieldName('parallel', place)}`))
    return { ...step, share, children }
  })

  function restrainChild(child: ChildStep, at: string): ChildStep {
    noteModel(child, at)
    const { agent, tools, limits } = child
    const allows = (tool: string): boolean =>
      claims.allows({ steps: [`${at}.tools`, toolName(tool)], value: true, allows: `lets ${agent} use ${tool}` })
    return {
      ...child,
      tools: tools === null ? null : tools.filter((tool) => isSafeTool(tool) || allows(tool)),
      acceptance: contractOf(child, `${at}.acceptance`),
      limits: restrainLimits(limits, `${at}.limits`),
    }
  }

  /** An untrusted contract adds to the agent's own, and cannot clear it. */
  function contractOf({ agent, acceptance = null }: ChildStep, at: string): Acceptance | false | null {
    if (acceptance === null) return null
    const claim = { steps: [at], value: acceptance, allows: `replaces the contract of ${agent}` } as const
    if (acceptance === false) return claims.allows(claim) ? false : null
    const restrained = restrainAcceptance(acceptance, claims, at, agent)
    if (restrained === null) return null
    return claims.accepts(claim) ? restrained : { ...restrained, onlyAdds: true }
  }

  function noteModel({ model }: ChildStep, at: string): void {
    if (model === null) return
    const field = `${at}.model`
    const allows = `uses the model ${model}, whose cost cannot be counted`
    const isBelieved = claims.accepts({ steps: [field, model], value: true, model, allows })
    if (!isBelieved) untrustedModels[model] = claims.placeOf(field)
  }

  function restrainShare(share: Share | null, at: string): Share | null {
    if (share === null || share === 'equal') return share
    return restrainLimits([share], at)[0] ?? null
  }

  function restrainLimits(limits: readonly ParsedLimits[], at: string): readonly ParsedLimits[] {
    return limits.flatMap((each) => {
      const believed = trustedLimits(each, { ...claims.file, path: [...claims.path, at] }, claims.trust)
      return believed.length === 0 ? [onlyTightens(each)] : believed
    })
  }

  return tagChain({
    ...chain,
    steps: restrained,
    limits: restrainLimits(chain.limits, 'limits'),
    askAbove: restrainLimits(chain.askAbove, 'askAbove'),
    untrustedModels,
    leftOut: claims.leftOut.map(({ place }) => place),
  })
}
