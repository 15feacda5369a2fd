import { type AgentPlaces, type FoundAgents, findAgents } from '../../agents/index.ts'
import type { CommandContext } from '../command-context.ts'

/** Where this command looks for agents, and the config's settings for them. */
export function agentPlaces(context: CommandContext): AgentPlaces {
  const { workingFolder, homeFolder } = context.platform
  const { agents: overrides, trust } = context.config()
  return { workingFolder, homeFolder, overrides, trust }
}

/** Every agent that can be run from here. */
export function agentsHere(context: CommandContext): FoundAgents {
  return findAgents(agentPlaces(context))
}
