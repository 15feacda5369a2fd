import type { ChainStep, ChildStep } from '../chain/chain.ts'
import type { SavedGroup } from '../saved-group.ts'

/** The agents that a step names. */
export function childrenOf(step: ChainStep): readonly ChildStep[] {
  return step.kind === 'parallel' ? step.children : [step.child]
}

/** The model of a child: its step's, its agent's, or the group's. */
export function modelOf(
  { agents, model }: Pick<SavedGroup, 'agents' | 'model'>,
  child: Pick<ChildStep, 'agent' | 'model'>,
): string | null {
  return child.model ?? agents[child.agent]?.model ?? model
}
