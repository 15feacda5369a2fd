import type { Agent } from '../../agents/index.ts'
import type { SavedRun } from './record/saved-run.ts'

/** An agent without a model of its own has that of the run which starts it, as little trusted as there. */
export function withModelOf({ models, untrustedModels }: SavedRun, agent: Agent): Agent {
  if (agent.model !== null) return agent
  return { ...agent, model: models[0]!, untrustedModels: { ...agent.untrustedModels, ...untrustedModels } }
}
