import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainSchema } from './plain-schema.ts'

const plain = (properties: object, more: object = {}) => {
  const result = plainSchema({ type: 'object', properties, ...more })
  if (result.kind === 'refused') throw new Error(result.reason)
  return result.schema
}
const property = (schema: object, more: object = {}) => (plain({ x: schema }, more).properties as { x: unknown }).x
const FORBIDDEN = /"(allOf|anyOf|oneOf|\$ref|not|if|then|else|const|\$defs|patternProperties)":/

describe('a schema is simplified', () => {
  it.each<[string, object, object]>([
    ['a plain one stays', { type: 'string', description: 'd' }, { type: 'string', description: 'd' }],
    ['one or null is that one', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'string' }],
    ['a list of types with null', { type: ['integer', 'null'] }, { type: 'integer' }],
    ['a list of types', { type: ['integer', 'string'] }, {}],
    ['constants are an enum', { oneOf: [{ const: 1 }, { const: 2 }] }, { type: 'number', enum: [1, 2] }],
    ['a constant', { const: 'x' }, { type: 'string', enum: ['x'] }],
    [
      'several types are told',
      { anyOf: [{ type: 'string' }, { type: 'number' }], description: 'A size.' },
      { description: 'A size. One of: string, number.' },
    ],
    [
      'parts that all hold are one',
      {
        allOf: [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: {} } }],
      },
      { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'] },
    ],
    [
      'alternative objects have what all have',
      {
        oneOf: [
          { type: 'object', properties: { kind: { type: 'string' }, a: {} }, required: ['kind', 'a'] },
          { type: 'object', properties: { kind: { type: 'string' }, b: {} }, required: ['kind', 'b'] },
        ],
      },
      { type: 'object', properties: { kind: { type: 'string' }, a: {}, b: {} }, required: ['kind'] },
    ],
    ['a tuple is a list', { type: 'array', items: [{ type: 'string' }] }, { type: 'array', items: {} }],
    ['what must not be is left out', { type: 'string', not: { const: 'x' } }, { type: 'string' }],
    ['what nobody has is not required', { type: 'object', required: ['a'] }, { type: 'object' }],
  ])('%s', (_, given, expected) => {
    expect(property(given)).toEqual(expected)
  })

  it('with references replaced by what they refer to', () => {
    const $defs = { 'a/b': { type: 'string' } }
    expect(property({ $ref: '#/$defs/a~1b', description: 'd' }, { $defs })).toEqual({
      type: 'string',
      description: 'd',
    })
  })

  it.each([
    ['contains itself', { $ref: '#' }],
    ['contains itself', { $ref: '#/properties/x' }],
    ['is elsewhere', { $ref: 'https://example.com/schema' }],
    ['is missing', { $ref: '#/$defs/constructor' }],
  ])('or refused: it %s', (reason, x) => {
    expect(plainSchema({ type: 'object', properties: { x }, $defs: {} })).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining(reason),
    })
  })

  it('or refused: a bomb of references, and one that is too deep', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 14 }, (_, index) => {
        const next = { $ref: `#/$defs/d${index + 1}` }
        return [`d${index}`, index === 13 ? {} : { type: 'object', properties: { a: next, b: next } }]
      }),
    )
    expect(plainSchema({ type: 'object', properties: { x: { $ref: '#/$defs/d0' } }, $defs })).toMatchObject({
      kind: 'refused',
    })
    let deep: object = { type: 'string' }
    for (let index = 0; index < 100; index++) deep = { type: 'array', items: deep }
    expect(plainSchema({ type: 'object', properties: { deep } })).toMatchObject({ kind: 'refused' })
  })

  it('whatever it is, without changing anything else', () => {
    const given = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}')
    expect(JSON.stringify(plainSchema(given))).toContain('"properties":{"__proto__":{"type":"string"}}')
    expect(({} as { type?: unknown }).type).toBeUndefined()
    for (const odd of [null, 1, 'x', [], true]) expect(plainSchema(odd)).toMatchObject({ schema: { type: 'object' } })
    const schemaOf: (levels: number) => fc.Arbitrary<object> = (levels) => {
      const below = levels === 0 ? fc.constant({ type: 'string' }) : schemaOf(levels - 1)
      const some = fc.array(below, { maxLength: 2 })
      const parts = {
        type: fc.constantFrom('object', 'string', 'array', ['string', 'null']),
        properties: fc.dictionary(fc.string(), below, { maxKeys: 2 }),
        required: fc.array(fc.string(), { maxLength: 2 }),
        items: below,
        anyOf: some,
        allOf: some,
        oneOf: some,
        not: below,
        const: fc.constantFrom(1, 'x', null),
      }
      return fc.record(parts, { requiredKeys: [] })
    }
    fc.assert(
      fc.property(schemaOf(2), (any) => {
        const result = plainSchema(any)
        if (result.kind === 'plain') assertPlain(result.schema)
      }),
    )
  })
})

function assertPlain(schema: unknown): void {
  const { properties = {}, items, ...rest } = schema as { properties?: object; items?: unknown }
  expect(JSON.stringify(rest)).not.toMatch(FORBIDDEN)
  for (const part of Object.values(properties)) assertPlain(part)
  if (items !== undefined) assertPlain(items)
}
