import { z } from 'zod'
import type { JsonSchema } from '../../../policy/index.ts'

/** An answer as the requested value, or why it is not one. */
export type StructuredAnswer =
  | { readonly kind: 'valid'; readonly value: unknown }
  | { readonly kind: 'invalid'; readonly message: string }

/** Why a schema cannot be used; `null` if it can. */
export function schemaProblem(schema: JsonSchema): string | null {
  try {
    z.fromJSONSchema(schema)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Reads the JSON in an answer, with or without a fence and words around it, and compares it with a schema. */
export function structuredAnswer(answer: string, schema: JsonSchema): StructuredAnswer {
  const found = jsonIn(answer)
  return found === null ? { kind: 'invalid', message: 'It is not JSON.' } : matchSchema(found.value, schema)
}

/** Compares a value with a schema. */
export function matchSchema(value: unknown, schema: JsonSchema): StructuredAnswer {
  const result = z.fromJSONSchema(schema).safeParse(value)
  if (result.success) return { kind: 'valid', value }
  const told = result.error.issues.slice(0, MOST_ISSUES).map(issueText)
  return { kind: 'invalid', message: told.join(' ') }
}

const MOST_ISSUES = 5

function issueText({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }): string {
  return `${path.length === 0 ? 'The value' : `/${path.map(String).join('/')}`}: ${message}.`
}

/** The JSON value in a text: all of it, the last fenced block, or from the first bracket to the last. */
export function jsonIn(text: string): { readonly value: unknown } | null {
  const fenced = [...text.matchAll(/```(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*```/g)].at(-1)?.[1]
  const from = text.search(/[[{]/)
  const to = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'))
  const candidates = [text, fenced, from === -1 ? undefined : text.slice(from, to + 1)]
  for (const candidate of candidates) {
    const read = candidate === undefined ? null : parsed(candidate)
    if (read !== null) return read
  }
  return null
}

function parsed(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}
