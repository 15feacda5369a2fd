import type { ContextFile } from './context-files.ts'

/** The task with the files that come with it, as the first message of the conversation. */
export function firstMessage(task: string, files: readonly ContextFile[]): { role: 'user'; content: string } {
  const shown = files.map(({ shown, text, isCut }) => {
    const rest = isCut ? '\n[the rest of the file is not shown]' : ''
    return `<file path=${JSON.stringify(shown)}>\n${text}${rest}\n</file>`
  })
  return { role: 'user', content: [task, ...shown].join('\n\n') }
}
