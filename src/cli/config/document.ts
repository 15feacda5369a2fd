import type { Document } from '../../documents/index.ts'
import type { ConfigProblem } from './invalid-config-error.ts'

/** The place of a field, as a phrase: `limits.cost in stint.config.yaml:4`. */
export function placeIn(document: Document, field: string): string {
  const line = document.lineOf(field)
  const where = line === undefined ? document.file : `${document.file}:${line}`
  return field === '' ? where : `${field} in ${where}`
}

/** Why a value in a document is refused. */
export function problemIn(
  document: Document,
  field: string,
  value: unknown,
  message: string,
  suggestion: string | null = null,
): ConfigProblem {
  const place = placeIn(document, field)
  if (suggestion === null) return { place, value, message }
  return { place, value, message: `${message} Did you mean ${JSON.stringify(suggestion)}?`, suggestion }
}
