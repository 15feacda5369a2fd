import type { Agent } from '../../agents/index.ts'
import type { ContextFile } from './context-files.ts'

/** The files of a project that tell every agent how things are done there. */
export const PROJECT_FILES = ['AGENTS.md', 'CLAUDE.md'] as const

/** What an agent is told before its task. Of its budget it is told by the adapter, in one line that never changes. */
export function systemPrompt(agent: Agent, workingFolder: string, projectFiles: readonly ContextFile[]): string {
  const base = agent.systemPromptMode === 'replace' ? [] : [basePrompt(agent, workingFolder)]
  const project = projectFiles.map(({ shown, text }) => `# ${shown} of this project\n\n${text.trim()}`)
  return [...base, agent.prompt.trim(), ...project].filter((part) => part !== '').join('\n\n')
}

function basePrompt({ name }: Agent, workingFolder: string): string {
  return (
    `You are the agent "${name}" and work in the folder ${workingFolder}. Nobody answers questions while you work: ` +
    'decide as the task would want it. Your last message is your result: say what you did or found, and what is missing.'
  )
}
