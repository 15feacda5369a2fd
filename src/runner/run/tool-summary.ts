import { isPlainObject } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'

const LONGEST = 100
// What tells one call of a tool from another, the best first.
const TELLING = ['command', 'path', 'file_path', 'pattern', 'query', 'url'] as const

/** A call of a tool in a few words, on one line: what it is about. */
export function toolSummary(input: unknown): string {
  const telling = isPlainObject(input)
    ? TELLING.map((key) => input[key]).find((value) => typeof value === 'string')
    : null
  const text = printable(typeof telling === 'string' ? telling : (JSON.stringify(input) ?? ''))
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}
