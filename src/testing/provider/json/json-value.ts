export type JsonObject = { readonly [field: string]: unknown }

/** The value as an object; `null` if it is anything else, a list included. */
export function objectOf(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}

/** The objects of a list; none where there is no list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf).filter((each) => each !== null) : []
}

/** The value as text; empty if it is anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Whether a field says something: left out and `null` are the same to the providers. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
