import * as z from 'zod/mini'
import { isPlainObject, showValue } from '../core/index.ts'
import type { JsonSchema } from '../policy/index.ts'

/** What the JSON schema adds to what zod knows. */
export const JSON_KEYWORDS = z.registry<JsonSchema>()

/** The error text of a schema: what the value should be, and what to write. */
type Refusal = (what: string, write?: string) => { readonly error: (issue: { readonly input?: unknown }) => string }

const refusal =
  (subjectOf: (input: unknown) => string): Refusal =>
  (what, write) => {
    const form = write === undefined ? '' : ` Write ${write}.`
    return {
      error: ({ input }) =>
        input === undefined ? `This is missing.${form}` : `${subjectOf(input)} is not ${what}.${form}`,
    }
  }

/** `5 is not a log. Write …` */
export const refused = refusal(showValue)

/** `This is not a log. Write …`: the value may be a key by mistake. */
export const refusedUnseen = refusal(() => 'This')

/** Text that matches a pattern. */
export function text(error: ReturnType<Refusal>, pattern: string, longest?: number): z.ZodMiniType<string> {
  const matching = z.string(error).check(z.regex(new RegExp(pattern, 'u'), error))
  return longest === undefined ? matching : matching.check(z.maxLength(longest, error))
}

const LONGEST_PATH = 4096
/** What the operating system accepts. */
export const SYSTEM_TEXT_PATTERN = '^[^\\u0000]*$'

/** The path of a file. */
export function path(error: ReturnType<Refusal>): z.ZodMiniType<string> {
  return z
    .string(error)
    .check(z.minLength(1, error), z.maxLength(LONGEST_PATH, error), z.regex(new RegExp(SYSTEM_TEXT_PATTERN), error))
}

/** An object with exactly these fields. The message about an unknown field lists the known ones. */
export function object<Shape extends z.core.$ZodShape>(
  shape: Shape,
  refuse: Refusal,
): z.ZodMiniObject<Shape, z.core.$strict> {
  const names = Object.keys(shape).join(', ')
  const { error } = refuse(`an object with some of ${names}`)
  return z.strictObject(shape, { error: (issue) => (issue.code === 'unrecognized_keys' ? names : error(issue)) })
}

/** An object with free names. Its size is checked before its contents. */
export function record<Value>(
  name: z.ZodMiniType<string>,
  value: z.ZodMiniType<Value>,
  most: number,
  error: ReturnType<Refusal>,
): z.ZodMiniType<Readonly<Record<string, Value>>> {
  // Zod skips `__proto__`, which would then not be refused.
  const isSmall = (object: unknown): boolean =>
    isPlainObject(object) && Object.keys(object).length <= most && !Object.hasOwn(object, '__proto__')
  const entries = z.record(name as z.ZodMiniString, value, error)
  JSON_KEYWORDS.add(entries, { maxProperties: most })
  return z.pipe(z.custom<Record<string, unknown>>(isSmall, error), entries)
}

/** A schema with its description for docs and editors, in Markdown. */
export function described<Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema {
  JSON_KEYWORDS.add(schema, { description })
  return schema
}

/** A value with its own parser: zod only checks that it is present. */
export function parsedElsewhere(schema: JsonSchema, write: string): z.ZodMiniType<unknown> {
  const written = z.custom<unknown>((value) => value !== undefined, refused('there', write))
  JSON_KEYWORDS.add(written, schema)
  return written
}
