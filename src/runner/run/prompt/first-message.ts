import type { Acceptance } from '../../../agents/index.ts'
import type { JsonSchema } from '../../../policy/index.ts'
import { contractText } from '../../acceptance/contract-text.ts'
import type { ContextFile } from './context-files.ts'

const PROGRESS =
  'While you work, keep the file progress.md in the working folder up to date: what is done, what comes next, what is in the way. If it already exists, read it first.'

const STRUCTURED =
  'Your last message must be one JSON value and nothing else: no words before or after it. It must match this JSON Schema:'

/** The first message of the conversation: the task and its files. */
export function firstMessage(
  task: string,
  files: readonly ContextFile[],
  keepsProgress = false,
  outputSchema: JsonSchema | null = null,
  acceptance: Acceptance | null = null,
): { role: 'user'; content: string } {
  const shown = files.map(({ shown, text, isCut }) => {
    const rest = isCut ? '\n[the rest of the file is not shown]' : ''
    return `<file path=${JSON.stringify(shown)}>\n${text}${rest}\n</file>`
  })
  const answer = outputSchema === null ? [] : [`${STRUCTURED}\n\n${JSON.stringify(outputSchema)}`]
  const contract = acceptance === null ? [] : [contractText(acceptance, outputSchema !== null)]
  const content = [task, ...shown, ...(keepsProgress ? [PROGRESS] : []), ...answer, ...contract].join('\n\n')
  return { role: 'user', content }
}
