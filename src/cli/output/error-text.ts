import { printable } from '../../core/checks/printable.ts'
import { isStintError } from '../../core/index.ts'

const MOST_LINES = 20
const LONGEST_LINE = 500

/** An error for a human: what is wrong and what to do, on one screen, without a stack. */
export function errorText(error: unknown): string {
  const { message } = asError(error)
  const lines = message.split('\n').map((line) => shorten(printable(line)))
  const shown = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), '…'] : lines
  const more = isStintError(error) ? [] : ['This is a bug in Stint. Set STINT_DEBUG=1 to see where it happened.']
  return [`stint: ${shown[0] ?? ''}`, ...shown.slice(1), ...more].join('\n')
}

/** The same for a program: one line of JSON. */
export function errorJson(error: unknown): string {
  const { message } = asError(error)
  if (!isStintError(error)) return JSON.stringify({ error: { code: 'internal', message, retryable: false } })
  const { code, retryable } = error
  const problems = 'problems' in error ? { problems: error.problems } : {}
  return JSON.stringify({ error: { code, message, retryable, ...problems } })
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function shorten(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line
}
