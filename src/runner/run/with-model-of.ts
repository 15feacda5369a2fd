import type { Agent } from '../../agents/index.ts'
import type { SavedRun } from './record/saved-run.ts'

/** An agent without its own model uses the model of the run that starts it, with the same trust. */
export function withModelOf({ models, untrustedModels }: SavedRun, agent: Agent): Agent {
  if (agent.model !== null) return agent
  return { ...agent, model: models[0]!, untrustedModels: { ...agent.untrustedModels, ...untrustedModels } }
}
