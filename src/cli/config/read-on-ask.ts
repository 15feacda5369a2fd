import { showValue } from '../../core/index.ts'
import type { Document } from '../../documents/index.ts'
import { problemIn } from './document.ts'
import type { ConfigProblem } from './invalid-config-error.ts'

/** A command: a text for the shell, or a program with its arguments. */
export type AskCommand = string | readonly string[]

export const LONGEST_WORD = 4096
export const MOST_WORDS = 64

/** Reads `onAsk`, the command that is run when a run asks for more. `null` and a problem where it cannot be one. */
export function readOnAsk(document: Document, value: unknown, problems: ConfigProblem[]): AskCommand | null {
  if (isWord(value) && value.trim() !== '') return value
  const isList = Array.isArray(value) && value.length >= 1 && value.length <= MOST_WORDS
  if (isList && value.every(isWord)) return value
  const forms = 'a program with its arguments, e.g. ["notify-send", "stint"], or a text for the shell'
  problems.push(problemIn(document, 'onAsk', value, `${showValue(value)} is not a command. Write ${forms}.`))
  return null
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_WORD && !value.includes('\0')
}
