import type { Agent, FoundAgents } from './agent.ts'
import { InvalidAgentError } from './invalid-agent-error.ts'
import { UnknownAgentError } from './unknown-agent-error.ts'

/** The agent of this name. Throws `InvalidAgentError`, or `UnknownAgentError` with a suggestion. */
export function agentNamed({ agents, refused, disabled }: FoundAgents, name: string): Agent {
  const agent = agents.get(name)
  if (agent !== undefined) return agent
  const problems = refused.get(name)
  if (problems !== undefined) throw new InvalidAgentError(name, problems)
  throw new UnknownAgentError(name, [...agents.keys(), ...refused.keys()].sort(), disabled.get(name) ?? null)
}
