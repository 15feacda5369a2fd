import type { Agent } from '../../../agents/index.ts'
import { isCounterMeter, type Limit } from '../../../core/index.ts'
import { type LayerInput, resolveLimits } from '../../../policy/index.ts'
import { resolveAcceptance } from '../../acceptance/resolve-acceptance.ts'
import type { Threshold } from '../../run/consent-layers.ts'
import { limitLayers } from '../../run/limit-layers.ts'
import type { ChildRequest } from '../../run/run-request.ts'
import type { ChainStep, ChildStep, Share } from '../chain/chain.ts'
import { childAgent } from '../run-child.ts'
import type { SavedGroup } from '../saved-group.ts'
import { modelOf } from '../step/step-children.ts'
import { type ChildToPlan, planSteps, type StepToPlan } from './estimate-steps.ts'
import type { Plan } from './plan.ts'

const STARTS_AGENTS = ['subagent', 'handoff']

/** The worst case of a group that is about to run. */
export function planSaved(saved: Drafted, layers: readonly LayerInput[], asked: Threshold): Plan {
  const { limits } = resolveLimits(layers)
  return planSteps(
    saved.steps.map((step) => stepToPlan(saved, step, limits)),
    limits,
    asked,
  )
}

type Drafted = Omit<SavedGroup, 'consent'>

function stepToPlan(saved: Drafted, step: ChainStep, limits: readonly Limit[]): StepToPlan {
  if (step.kind === 'sequential') {
    const child = childToPlan(saved, step.child, 1, [])
    return { kind: step.kind, label: step.child.label, children: [child], concurrency: 1 }
  }
  const { kind, label, concurrency, share } = step
  const children = kind === 'parallel' ? step.children : [step.child]
  const countOf = (child: ChildStep): number => (kind === 'expand' ? step.expand.maxItems : child.count)
  const agents = children.reduce((sum, child) => sum + countOf(child), 0)
  const own = shareOf(share ?? saved.share, limits, agents)
  const planned = children.map((child) => childToPlan(saved, child, countOf(child), own))
  return { kind, label, children: planned, concurrency: concurrency ?? saved.concurrency }
}

function childToPlan(saved: Drafted, child: ChildStep, count: number, share: readonly Limit[]): ChildToPlan {
  const { agent: name, outputMode, progress, task, label, limits, tools, acceptance = null } = child
  const agent = childAgent(saved, { agent: name, model: modelOf(saved, child), outputMode, progress })
  const contract = acceptance === null ? {} : { contract: acceptance }
  const request = { agent, task, workingFolder: saved.workingFolder, layers: limits, ...contract }
  const own = resolveLimits(limitLayers(request)).limits
  const maySpawn = (tools ?? agent.tools ?? []).some((tool) => STARTS_AGENTS.includes(tool))
  return { agent: name, label, count, limits: [...own, ...share], maySpawn, reviews: reviewsOf(request) }
}

/** Its work is reviewed once, and again each time that it comes back. */
function reviewsOf(request: ChildRequest): number {
  const contract = resolveAcceptance(request)
  // Agents of groups from older versions have one attempt.
  const { attempts = 1 }: Partial<Agent> = request.agent
  return contract === null || contract.review === null ? 0 : (contract.maxFinalizationTurns + 1) * attempts
}

/** Each child's share of the group's limits. */
function shareOf(share: Share | null, limits: readonly Limit[], agents: number): readonly Limit[] {
  if (share === null || agents === 0) return []
  if (share !== 'equal') return resolveLimits([share]).limits
  const shared = limits.filter(({ meter }) => isCounterMeter(meter) && meter !== 'spawns')
  return shared.map((limit) => ({ ...limit, max: Math.floor(limit.max / agents) }))
}
