/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The value as an object; `null` for anything else. */
export function objectFrom(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}

/** The objects of a list. Anything but a list gives none; items that are not objects are skipped. */
export function objectsFrom(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((entry) => objectFrom(entry) !== null) : []
}

/** The value as a text; empty for anything else. */
export function textFrom(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
