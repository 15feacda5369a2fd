import * as z from 'zod/mini'
import { suggestName } from '../../core/index.ts'
import { badRequest } from '../http/refusals.ts'

/** What an address says after the question mark, checked. A name that appears twice is refused. */
export function readQuery(schema: z.ZodMiniType | undefined, search: URLSearchParams): unknown {
  const given: Record<string, string> = {}
  for (const [name, value] of search) {
    if (Object.hasOwn(given, name)) throw badRequest(`${JSON.stringify(name)} appears twice in the address.`)
    given[name] = value
  }
  return parsed(schema ?? NOTHING, given, 'in the address')
}

/** The body of a write, checked. */
export function readInput<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.output<Schema> {
  return parsed(schema, body, 'in the body')
}

const NOTHING = z.strictObject({})

/** Throws with the place of what is wrong. */
function parsed<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, where: string): z.output<Schema> {
  const read = z.safeParse(schema, value)
  if (read.success) return read.data
  const issue = read.error.issues[0]!
  throw badRequest(`${placeOf(issue)} ${where} is wrong: ${issueText(issue, schema)}.`)
}

function placeOf({ path }: z.core.$ZodIssue): string {
  return path.length === 0 ? 'What is' : JSON.stringify(path.join('.'))
}

function issueText(issue: z.core.$ZodIssue, schema: z.ZodMiniType): string {
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : []
      const nearest = suggestName(issue.keys[0]!, known)
      const hint = nearest === null ? `known are: ${known.join(', ') || 'none'}` : `did you mean ${nearest}?`
      return `${JSON.stringify(issue.keys[0])} is unknown; ${hint}`
    }
    case 'invalid_value':
      return `expected one of ${issue.values.join(', ')}`
    case 'invalid_type':
      return `expected ${issue.expected}`
    case 'too_small':
      return `expected at least ${issue.minimum}`
    case 'too_big':
      return `expected at most ${issue.maximum}`
    default:
      return 'see /openapi.json'
  }
}
