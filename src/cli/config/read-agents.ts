import {
  type AgentOverride,
  type AgentOverrides,
  type AgentProblem,
  checkOverride,
  isAgentName,
} from '../../agents/index.ts'
import { isPlainObject, showValue } from '../../core/index.ts'
import { type Document, fieldName } from '../../documents/index.ts'
import { problemIn } from './document.ts'
import type { ConfigProblem } from './invalid-config-error.ts'

/** How many agents a file may speak of. */
export const MOST_AGENTS = 1000

/** Reads `agents: { developer: { model: haiku, tools: false, disabled: true } }`: what differs from their files. */
export function readAgents(
  document: Document,
  layer: 'user' | 'project',
  value: unknown,
  problems: ConfigProblem[],
): AgentOverrides {
  const { file, lineOf } = document
  const agents = new Map<string, AgentOverride>()
  const isRead = isPlainObject(value) && Object.keys(value).length <= MOST_AGENTS
  if (!isRead) {
    const form = `no set of at most ${MOST_AGENTS} agents. Write e.g. { developer: { model: haiku, maxTokens: false } }`
    problems.push(problemIn(document, 'agents', value, `${showValue(value)} is ${form}.`))
    return { file, layer, agents }
  }
  for (const [name, fields] of Object.entries(value)) {
    const field = fieldName('agents', name)
    if (!isAgentName(name)) {
      problems.push(
        problemIn(document, field, name, `${showValue(name)} is no name of an agent. Write e.g. developer.`),
      )
    }
    const override: AgentOverride = { fields: fields as AgentOverride['fields'], field, lineOf }
    problems.push(...checkOverride(file, override, layer).map((problem) => problemFrom(document, problem)))
    agents.set(name, override)
  }
  return { file, layer, agents }
}

function problemFrom(document: Document, { field, value, message }: AgentProblem): ConfigProblem {
  return problemIn(document, field ?? 'agents', value, message)
}
