import { agentNamed, type FoundAgents } from '../../agents/index.ts'
import { formatAmount } from '../../core/index.ts'
import type { Scope } from '../../governor/index.ts'
import { resolveLimits } from '../../policy/index.ts'
import { limitLayers } from '../run/limit-layers.ts'

const MOST_AGENTS = 100

/** The agents that can be started, one per line. */
export function listAgents({ agents }: FoundAgents): string {
  const lines = [...agents.values()].map(({ name, description }) => `${name}: ${description.split('\n', 1)[0]}`)
  const shown = lines.toSorted().slice(0, MOST_AGENTS)
  const more = lines.length > shown.length ? [`and ${lines.length - shown.length} more`] : []
  return [...shown, ...more].join('\n')
}

/** One agent: its purpose, its tools, and the limits that it would have in a scope. */
export function describeAgent(found: FoundAgents, name: string, within: Scope): string {
  const agent = agentNamed(found, name)
  const { limits } = resolveLimits(limitLayers({ agent, task: '', workingFolder: '', within }))
  const limited = limits.map(({ meter, max }) => `${meter} ${formatAmount(meter, max)}`)
  return [
    `${agent.name}: ${agent.description}`,
    `tools: ${agent.tools === null ? 'all' : agent.tools.join(', ') || 'none'}`,
    `limits: ${limited.join(', ') || 'none of its own'}`,
  ].join('\n')
}
