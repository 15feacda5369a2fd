import type { Agent } from '../../agents/index.ts'
import { isPlainObject } from '../../core/index.ts'
import { type ParsedLimits, tagParsedLimits } from '../../policy/formats/parsed-limits.ts'
import { readSmallFile } from '../tasks/read-small-file.ts'
import type { CleanRepository } from '../worktrees/index.ts'
import type { ChainStep, ChildContext, ChildStep, Share } from './chain/chain.ts'
import type { PlannedChild, StepPlan } from './step/step-plan.ts'

/**
 * Everything needed to resume a group as it was started, whatever has become of the files of its agents and its chain
 * since. Stored next to its results; its own limits are in the ledger.
 */
export interface SavedGroup {
  readonly format: 'stint-group/1'
  readonly id: string
  readonly name: string
  readonly mode: 'parallel' | 'chain'
  /** The task of a chain; `''` for a parallel group. */
  readonly task: string
  readonly workingFolder: string
  /** The repository for worktrees; `null` if no step needs them. */
  readonly repository: CleanRepository | null
  readonly steps: readonly ChainStep[]
  readonly agents: Readonly<Record<string, Agent>>
  readonly concurrency: number
  readonly share: Share | null
  readonly context: ChildContext | null
  readonly conversation: readonly unknown[] | null
  readonly model: string | null
  readonly untrustedModels: Readonly<Record<string, string>>
  readonly description: string | null
  readonly wrapUp: boolean
  /** How many agents it starts, and the question if that needs approval. */
  readonly consent: { readonly agents: number; readonly question: string } | null
  readonly startedAtMs: number
}

/** Whether the data saved under an id is a group. */
export function isSavedGroup(file: string, id: string): boolean {
  const saved = parsed(file)
  return isPlainObject(saved) && saved.format === 'stint-group/1' && saved.id === id
}

/** Reads a saved group; `null` if it is missing or invalid. */
export function readSavedGroup(file: string, id: string): SavedGroup | null {
  const saved = parsed(file)
  if (!isPlainObject(saved) || saved.format !== 'stint-group/1' || saved.id !== id) return null
  const isWhole = Array.isArray(saved.steps) && isPlainObject(saved.agents) && typeof saved.name === 'string'
  if (!isWhole) return null
  const group = saved as unknown as SavedGroup
  const agents = Object.entries(group.agents).map(([name, agent]) => [name, checkedAgent(agent)])
  return {
    ...group,
    repository: group.repository ?? null,
    consent: group.consent ?? null,
    share: checkedShare(group.share),
    steps: group.steps.map(checkedStep),
    agents: Object.fromEntries(agents),
  }
}

/** A step with everything filled in; `null` if it has not been planned yet. */
export function readStepPlan(file: string, step: number): StepPlan | null {
  const saved = parsed(file)
  if (!isPlainObject(saved) || saved.format !== 'stint-step/1' || saved.step !== step) return null
  const plan = saved as unknown as StepPlan
  const children = plan.children.map((child): PlannedChild => ({ ...child, limits: child.limits.map(tagParsedLimits) }))
  return { ...plan, children }
}

function parsed(file: string): unknown {
  const text = readSmallFile(file)
  if (text === null) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

// Limits were checked before they were saved, and the ledger refuses changed ones.

function checkedAgent(agent: Agent): Agent {
  const { layers, team, user, askAbove = [] } = agent.limits
  const checked = (limits: readonly ParsedLimits[]) => limits.map(tagParsedLimits)
  const limits = { layers: checked(layers), team: checked(team), user: checked(user), askAbove: checked(askAbove) }
  return { ...agent, limits }
}

function checkedStep(step: ChainStep): ChainStep {
  const child = (each: ChildStep): ChildStep => ({ ...each, limits: each.limits.map(tagParsedLimits) })
  if (step.kind === 'sequential') return { ...step, child: child(step.child) }
  const share = checkedShare(step.share)
  if (step.kind === 'expand') return { ...step, share, child: child(step.child) }
  return { ...step, share, children: step.children.map(child) }
}

function checkedShare(share: Share | null): Share | null {
  return share === null || share === 'equal' ? share : tagParsedLimits(share)
}
