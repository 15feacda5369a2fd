import type { Agent } from '../../../agents/index.ts'
import type { ContextFile } from './context-files.ts'

/** Files with a project's instructions for every agent. */
export const PROJECT_FILES = ['AGENTS.md', 'CLAUDE.md'] as const

/** The system prompt. The adapter adds one constant line about the budget. */
export function systemPrompt(agent: Agent, workingFolder: string, projectFiles: readonly ContextFile[]): string {
  const base = agent.systemPromptMode === 'replace' ? [] : [basePrompt(agent, workingFolder)]
  const project = projectFiles.map(({ shown, text }) => `# ${shown} of this project\n\n${text.trim()}`)
  return [...base, agent.prompt.trim(), ...project].filter((part) => part !== '').join('\n\n')
}

function basePrompt({ name }: Agent, workingFolder: string): string {
  return (
    `You are the agent "${name}" and work in the folder ${workingFolder}. You cannot ask questions while you work: ` +
    'decide in the spirit of the task. Your last message is your result: say what you did or found, and what is missing.'
  )
}
