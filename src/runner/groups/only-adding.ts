import type { ChainStep, ChildStep } from './chain/chain.ts'
import type { ParsedGroup } from './parse-group.ts'

/** A group that a model has ordered: its contracts only add to those of its agents. */
export function onlyAdding(group: ParsedGroup): ParsedGroup {
  return { ...group, chain: { ...group.chain, steps: group.chain.steps.map(stepAdding) } }
}

function stepAdding(step: ChainStep): ChainStep {
  if (step.kind === 'parallel') return { ...step, children: step.children.map(childAdding) }
  return { ...step, child: childAdding(step.child) }
}

function childAdding(child: ChildStep): ChildStep {
  const { acceptance = null } = child
  // A model has no way to clear a contract.
  return acceptance ? { ...child, acceptance: { ...acceptance, onlyAdds: true } } : { ...child, acceptance: null }
}
