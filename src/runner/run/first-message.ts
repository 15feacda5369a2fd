import type { ContextFile } from './context-files.ts'

const PROGRESS =
  'While you work, keep the file progress.md in the working folder up to date: what is done, what comes next, what is in the way. If it is there already, read it first.'

/** The task with the files that come with it, as the first message of the conversation. */
export function firstMessage(
  task: string,
  files: readonly ContextFile[],
  keepsProgress = false,
): { role: 'user'; content: string } {
  const shown = files.map(({ shown, text, isCut }) => {
    const rest = isCut ? '\n[the rest of the file is not shown]' : ''
    return `<file path=${JSON.stringify(shown)}>\n${text}${rest}\n</file>`
  })
  return { role: 'user', content: [task, ...shown, ...(keepsProgress ? [PROGRESS] : [])].join('\n\n') }
}
