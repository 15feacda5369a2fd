import type { Agent } from '../../../src/agents/index.ts'
import { type AgentFormat, parseAgentFields } from '../../../src/policy/index.ts'

/** An agent as if it had been read from a file with these limits. */
export function agentFrom(
  fields: Partial<Agent> = {},
  limits: Readonly<Record<string, unknown>> = {},
  format: AgentFormat = 'stint',
): Agent {
  const parsed = parseAgentFields(limits, { format, file: '.stint/agents/slow.md' })
  const layers = [...(parsed.defaults === null ? [] : [parsed.defaults]), parsed.limits]
  return {
    name: 'slow',
    description: 'An agent of a test.',
    prompt: 'You are slow.',
    source: 'project',
    format,
    file: '.stint/agents/slow.md',
    model: 'first',
    fallbackModels: [],
    thinking: null,
    tools: null,
    disallowedTools: [],
    mcpServers: [],
    defaultContext: null,
    output: null,
    outputMode: 'inline',
    defaultReads: [],
    defaultProgress: false,
    completionGuard: true,
    repeatGuard: true,
    attempts: 1,
    handoffs: null,
    acceptance: null,
    systemPromptMode: 'append',
    inheritProjectContext: false,
    limits: { layers, team: [], user: [], askAbove: parsed.askAbove },
    preset: null,
    unknownFields: {},
    ...fields,
  }
}
