import { type Document, fieldName } from '../documents/index.ts'
import type { ConfigProblem } from './invalid-config-error.ts'

/** The keys and indexes that lead to a value in a config. */
export type FieldPath = readonly (string | number)[]

/**
 * The place of a field, as a phrase: `limits.cost in stint.config.yaml:4`. A missing field has the line of its parent.
 */
export function placeAt(document: Document, path: FieldPath): string {
  const fields = path.map((_, index) => path.slice(0, index + 1).reduce<string>(fieldName, ''))
  const line = fields.map((field) => document.lineOf(field)).findLast((each) => each !== undefined)
  const where = line === undefined ? document.file : `${document.file}:${line}`
  return fields.length === 0 ? where : `${fields.at(-1)} in ${where}`
}

/** Why a value in a document is refused. */
export function problemAt(
  document: Document,
  path: FieldPath,
  value: unknown,
  message: string,
  suggestion: string | null = null,
): ConfigProblem {
  const place = placeAt(document, path)
  if (suggestion === null) return { place, value, message }
  return { place, value, message: `${message} Did you mean ${JSON.stringify(suggestion)}?`, suggestion }
}
