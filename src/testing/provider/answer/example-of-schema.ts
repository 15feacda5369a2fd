import { type JsonObject, objectOf, textOf } from '../json/json-value.ts'

const DEEPEST = 16

/** A small value that matches a plain JSON schema, as a model with structured output would write. */
export function exampleOfSchema(schema: JsonObject, depth = 0): unknown {
  if (depth > DEEPEST) return null
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'string':
      return 'text'
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1
    case 'boolean':
      return true
    case 'array':
      return []
    case 'null':
      return null
  }
  const properties = objectOf(schema.properties) ?? {}
  const required = Array.isArray(schema.required) ? schema.required.map(textOf) : []
  return Object.fromEntries(
    required.map((name) => [name, exampleOfSchema(objectOf(properties[name]) ?? {}, depth + 1)]),
  )
}
