export type JsonObject = { readonly [field: string]: unknown }

/** The value as an object; `null` if it is anything else, a list included. */
export function objectOf(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}

/** The objects in a list; none if it is not a list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf).filter((each) => each !== null) : []
}

/** The value as text; empty if it is anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Whether a field is set: to the providers, `null` is the same as unset. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
