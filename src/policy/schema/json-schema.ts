/** A JSON Schema (draft 2020-12), as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

export const JSON_SCHEMA_DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** Text that matches a pattern as a whole. */
export function textSchema(pattern: string): JsonSchema {
  return { type: 'string', pattern: `^(?:${pattern})$` }
}
