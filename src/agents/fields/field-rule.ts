import { isOneOf } from '../../core/checks/is-one-of.ts'
import type { JsonSchema } from '../../policy/index.ts'

/** The valid values of a field. */
export interface FieldRule<Value> {
  /** Completes "… is not": `a model`, `a list of tools`. */
  readonly what: string
  /** Valid forms, as they are written in a file. */
  readonly example: string
  /** For editors. */
  readonly schema: JsonSchema
  /** Whether `false` clears the field. */
  readonly isCleared: boolean
  /** The value, or `null` if it is invalid. */
  read(value: unknown): { readonly value: Value } | null
  /** For a field with its own fields: the problems inside it. Default: one message for the whole field. */
  problems?(value: unknown): readonly FieldProblem[]
}

/** A problem inside a field. */
export interface FieldProblem {
  /** Below the field: `verify[0].command`; `''`: the field itself. */
  readonly field: string
  readonly value: unknown
  readonly message: string
}

/** Text that matches a pattern. */
export function textRule(what: string, example: string, pattern: string, longest: number): FieldRule<string> {
  const shape = new RegExp(pattern, 'u')
  return {
    what,
    example,
    schema: { type: 'string', minLength: 1, maxLength: longest, pattern },
    isCleared: true,
    read: (value) => {
      const fits = typeof value === 'string' && value !== '' && value.length <= longest && shape.test(value)
      return fits ? { value } : null
    },
  }
}

export function wordRule<const Word extends string>(what: string, words: readonly Word[]): FieldRule<Word> {
  return {
    what,
    example: words.join(' or '),
    schema: { enum: [...words] },
    isCleared: true,
    read: (value) => (isOneOf(value, words) ? { value } : null),
  }
}

export const SWITCH_RULE: FieldRule<boolean> = {
  what: 'a boolean',
  example: 'true or false, without quotes',
  schema: { type: 'boolean' },
  isCleared: false,
  read: (value) => (typeof value === 'boolean' ? { value } : null),
}

const MOST_ITEMS = 200
const LONGEST_LIST = 10_000

/** A list, or text with commas between. Commas inside brackets belong to an item: `Bash(git add:*, git commit:*)`. */
export function listRule(what: string, example: string, item: FieldRule<string>): FieldRule<readonly string[]> {
  return {
    what,
    example,
    schema: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: LONGEST_LIST },
        { type: 'array', maxItems: MOST_ITEMS, items: item.schema },
      ],
    },
    isCleared: true,
    read: (value) => {
      const items = typeof value === 'string' ? splitList(value) : value
      if (!Array.isArray(items) || items.length > MOST_ITEMS) return null
      // Empty text was probably a mistake.
      if (typeof value === 'string' && items.length === 0) return null
      const read = items.map((each: unknown) => item.read(each))
      if (read.some((each) => each === null)) return null
      return { value: Object.freeze([...new Set(read.map((each) => each!.value))]) }
    },
  }
}

function splitList(text: string): readonly string[] {
  if (text.length > LONGEST_LIST) return []
  const items: string[] = ['']
  let depth = 0
  for (const character of text) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (character === ',' && depth <= 0) items.push('')
    else items[items.length - 1] += character
  }
  return items.map((item) => item.trim()).filter((item) => item !== '')
}

/** A whole number in a range. */
export function wholeRule(what: string, least: number, most: number, example: string): FieldRule<number> {
  return {
    what,
    example: `a whole number from ${least} to ${most}, e.g. ${example}`,
    schema: { type: 'integer', minimum: least, maximum: most },
    isCleared: false,
    read: (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most ? { value } : null,
  }
}
