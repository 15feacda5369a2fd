import type { AgentDraft } from '../read/agent-draft.ts'
import { readAgent } from '../read/read-agent.ts'
import { BUILT_IN_AGENTS } from './built-in-agents.ts'

let read: readonly AgentDraft[] | null = null

/** The agents that come with the package, read once, like any other file. */
export function readBuiltInAgents(): readonly AgentDraft[] {
  read ??= Object.entries(BUILT_IN_AGENTS).map(([name, text]) => {
    const origin = { source: 'built-in', format: 'stint', file: `built-in:${name}`, nameOfFile: name } as const
    const draft = readAgent(text, origin)
    if (draft.kind === 'refused') throw new Error(`the built-in agent ${name}: ${draft.problems[0]?.message}`)
    return draft
  })
  return read
}

/** The Markdown of a built-in agent; `null` if there is none of this name. */
export function builtInText(name: string): string | null {
  return Object.hasOwn(BUILT_IN_AGENTS, name) ? BUILT_IN_AGENTS[name]! : null
}
