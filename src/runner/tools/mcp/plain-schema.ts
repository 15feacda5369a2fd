import { isPlainObject } from '../../../core/index.ts'

/** A schema that every provider accepts, or why there is none. */
export type PlainSchema =
  | { readonly kind: 'plain'; readonly schema: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly reason: string }

type Schema = Readonly<Record<string, unknown>>

// Keywords that every provider accepts or ignores.
const KEPT = [
  'type',
  'description',
  'enum',
  'default',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
] as const
const DEEPEST = 16
const MOST_PARTS = 2_000
const LONGEST_TEXT = 1_000

class NotPlain extends Error {}

/**
 * Simplifies a JSON schema: no allOf, anyOf, oneOf, $ref or parts that only require. It allows everything that the given
 * one does, and maybe more: the server checks the input anyway.
 */
export function plainSchema(given: unknown): PlainSchema {
  const root = isPlainObject(given) ? (given as Schema) : {}
  let parts = 0
  const plain = (value: unknown, depth: number, seen: readonly string[]): Schema => {
    if (++parts > MOST_PARTS || depth > DEEPEST) throw new NotPlain('it is too large or too deep')
    // `true` allows anything; `false` allows nothing, which no argument needs.
    if (!isPlainObject(value)) return {}
    const schema = value as Schema
    if (typeof schema.$ref === 'string') {
      if (seen.includes(schema.$ref)) throw new NotPlain(`${schema.$ref} contains itself`)
      const { $ref, ...beside } = schema
      const target = plain(resolveRef(root, $ref as string), depth + 1, [...seen, $ref as string])
      return { ...target, ...plain(beside, depth + 1, seen) }
    }
    return together(schema, (part) => plain(part, depth + 1, seen))
  }
  try {
    const { properties = {}, ...rest } = plain(root, 0, [])
    return { kind: 'plain', schema: { ...rest, type: 'object', properties } }
  } catch (error) {
    if (error instanceof NotPlain) return { kind: 'refused', reason: error.message }
    throw error
  }
}

/** Merges a schema and its alternatives. */
function together(schema: Schema, plain: (part: unknown) => Schema): Schema {
  const own = ownPart(schema, plain)
  const all = listOf(schema.allOf).map(plain)
  const whole = [own, ...all].reduce(both)
  const either = [...alternatives(schema.anyOf, plain), ...alternatives(schema.oneOf, plain)]
  return either.length === 0 ? whole : both(whole, anyOfThem(either, whole))
}

function ownPart(schema: Schema, plain: (part: unknown) => Schema): Schema {
  const own: Record<string, unknown> = {}
  for (const key of KEPT) if (schema[key] !== undefined) own[key] = schema[key]
  if (typeof own.description === 'string') own.description = own.description.slice(0, LONGEST_TEXT)
  if (schema.const !== undefined) own.enum = [schema.const]
  if (Array.isArray(own.enum) && own.type === undefined) own.type = typeOfAll(own.enum)
  if (Array.isArray(schema.type)) own.type = onlyOf(schema.type.filter((type) => type !== 'null'))
  if (own.type === undefined) delete own.type
  if (isPlainObject(schema.properties)) {
    own.properties = Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, plain(part)]))
    own.type ??= 'object'
  }
  const required = listOf(schema.required).filter((name) => isPropertyOf(own.properties, name))
  if (required.length > 0) own.required = required
  if (schema.items !== undefined) own.items = Array.isArray(schema.items) ? {} : plain(schema.items)
  else if (own.type === 'array') own.items = {}
  if (typeof schema.additionalProperties === 'boolean') own.additionalProperties = schema.additionalProperties
  return own
}

/** The conjunction of two schemas. */
function both(left: Schema, right: Schema): Schema {
  const properties = { ...(left.properties as object), ...(right.properties as object) }
  const required = [...new Set([...listOf(left.required), ...listOf(right.required)])]
  const merged: Record<string, unknown> = { ...left, ...right, ...descriptionOf(left, right) }
  if (Object.keys(properties).length > 0) merged.properties = properties
  if (required.length > 0) merged.required = required
  // If one part is closed, it would exclude the properties of the other.
  if (left.properties !== undefined && right.properties !== undefined) delete merged.additionalProperties
  return merged
}

function descriptionOf(left: Schema, right: Schema): Schema {
  const texts = [left.description, right.description].filter((text) => typeof text === 'string' && text !== '')
  return texts.length === 0 ? {} : { description: [...new Set(texts)].join(' ') }
}

/** The alternatives except `null`, which is expressed by leaving the property out. */
function alternatives(given: unknown, plain: (part: unknown) => Schema): readonly Schema[] {
  return listOf(given)
    .filter((part) => !(isPlainObject(part) && (part as Schema).type === 'null'))
    .map(plain)
}

/** The union of several schemas: what they share is kept, the rest goes into the description. */
function anyOfThem(parts: readonly Schema[], beside: Schema): Schema {
  const [first] = parts
  if (first !== undefined && parts.length === 1) return first
  const types = [...new Set(parts.map(({ type }) => type))]
  const type = types.length === 1 ? types[0] : undefined
  if (type === 'object' || beside.type === 'object') {
    const properties = Object.fromEntries(parts.flatMap((part) => Object.entries((part.properties ?? {}) as object)))
    const required = listOf(first?.required).filter((name) =>
      parts.every((part) => listOf(part.required).includes(name)),
    )
    return {
      type: 'object',
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(required.length > 0 ? { required } : {}),
    }
  }
  const enums = parts.map((part) => part.enum)
  if (type !== undefined && enums.every(Array.isArray)) return { type, enum: [...new Set(enums.flat())] }
  if (type !== undefined) return type === 'array' ? { type, items: {} } : { type }
  const names = types.filter((each) => typeof each === 'string')
  return names.length === 0 ? {} : { description: `One of: ${names.join(', ')}.` }
}

function resolveRef(root: Schema, ref: string): unknown {
  if (ref === '#') throw new NotPlain('it contains itself')
  if (!ref.startsWith('#/')) throw new NotPlain(`${ref} is elsewhere`)
  const names = ref
    .slice(2)
    .split('/')
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
  let at: unknown = root
  for (const name of names) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) throw new NotPlain(`${ref} is missing`)
    at = (at as Schema)[name]
  }
  return at
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function onlyOf(values: readonly unknown[]): unknown {
  return values.length === 1 ? values[0] : undefined
}

function typeOfAll(values: readonly unknown[]): string | undefined {
  const types = new Set(values.map((value) => typeof value))
  const [type] = types
  return types.size === 1 && (type === 'string' || type === 'number' || type === 'boolean') ? type : undefined
}

function isPropertyOf(properties: unknown, name: unknown): boolean {
  return typeof name === 'string' && isPlainObject(properties) && Object.hasOwn(properties, name)
}
