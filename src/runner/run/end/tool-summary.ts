import { printable } from '../../../core/checks/printable.ts'
import { isPlainObject } from '../../../core/index.ts'

const LONGEST = 100
// The arguments that best describe a call, in order of preference.
const TELLING = ['command', 'path', 'file_path', 'pattern', 'query', 'url'] as const

/** A one-line summary of a tool call. */
export function toolSummary(input: unknown): string {
  const telling = isPlainObject(input)
    ? TELLING.map((key) => input[key]).find((value) => typeof value === 'string')
    : null
  const text = printable(typeof telling === 'string' ? telling : (JSON.stringify(input) ?? ''))
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}
