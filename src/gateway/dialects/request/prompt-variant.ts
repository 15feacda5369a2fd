import type { JsonObject } from './json-value.ts'

/** These fields of a request as one text; empty where none of them is there. */
export function promptVariant(body: JsonObject, fields: readonly string[]): string {
  const present = fields.filter((field) => (body[field] ?? null) !== null)
  return present.length === 0 ? '' : JSON.stringify(present.map((field) => [field, body[field]]))
}
