import { canonicalJson } from './canonical-json.ts'

const LONGEST_CHARACTERS = 4_000

// In this order: an address contains a path, and timestamps and ids contain numbers.
const VARYING: readonly RegExp[] = [
  /\bhttps?:\/\/\S+/g,
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)?/g,
  /(?<![\w.])(?:[A-Za-z]:|~|\.{1,2})?(?:[\\/][\w.@%+-]+)+/g,
  /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi,
  /\b(?:0x[\da-f]+|(?=[a-f]*\d)[\da-f]{6,64})\b/gi,
  /\d+(?:[.,:]\d+)*/g,
]

/** The part of an error that is the same each time: without numbers, ids, times, paths and addresses. */
export function normalizeError(error: unknown): string {
  const text = textOf(error).slice(0, LONGEST_CHARACTERS)
  const constant = VARYING.reduce((rest, pattern) => rest.replace(pattern, '#'), text)
  return constant.replace(/\s+/g, ' ').trim().toLowerCase()
}

function textOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (error instanceof Error) return `${error.name}: ${error.message}`
  return canonicalJson(error) ?? Object.prototype.toString.call(error)
}
