import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { routeNames } from '../routes/find-api-route.ts'
import { openapiDocument } from './openapi-document.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: object
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>>; readonly $ref?: string }>
  >
}

// As a client reads it.
const document = JSON.parse(JSON.stringify(openapiDocument('1.2.3')))
const operations: readonly (readonly [path: string, method: string, operation: Operation])[] = Object.entries<
  Record<string, Operation>
>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [path, method, operation] as const),
)

/** What a `$ref` in the document points to. */
function referred(reference: string): unknown {
  return reference
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((value, name) => Reflect.get(Object(value), name), document)
}

function references(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    name === '$ref' && typeof each === 'string' ? [each] : references(each),
  )
}

describe('/openapi.json', () => {
  it('is an OpenAPI 3.1 document with every address of the API once', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Stint', version: '1.2.3' } })
    const names = operations.map(([path, method]) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`)
    expect(names.sort()).toEqual([...routeNames()].sort())
  })

  it('names each operation once, with what client generators can use', () => {
    const ids = operations.map(([, , { operationId }]) => operationId)
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/)
  })

  it('declares each parameter of a path, and none twice', () => {
    for (const [path, , { parameters }] of operations) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      expect(inPath.every(({ required }) => required)).toBe(true)
      const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
      expect(new Set(names).size).toBe(names.length)
    }
  })

  it('refers only to what it contains, and to security schemes that it declares', () => {
    const found = references(document)
    expect(found.length).toBeGreaterThan(30)
    for (const reference of found) expect(referred(reference), reference).toBeTypeOf('object')
    const schemes = Object.keys(document.components.securitySchemes)
    for (const [, , { security }] of operations) {
      for (const scheme of security.flatMap((each) => Object.keys(each))) expect(schemes).toContain(scheme)
    }
    // A session is a cookie and a token: neither is enough.
    expect(document.paths['/api/tree'].get.security).toEqual([{ key: [] }, { session: [], cookie: [] }])
    expect(document.paths['/tasks/{id}/resume'].post.security).toEqual([{ key: [] }])
  })

  it('has only schemas that a strict validator of JSON Schema 2020-12 accepts', () => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true })
    const schemas = operations.flatMap(([path, method, { parameters, requestBody, responses }]) => {
      const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
      const bodies = contents.flatMap((content) => Object.values(content ?? {}).map(({ schema }) => schema))
      return [...parameters.map(({ schema }) => schema), ...bodies].map(
        (schema) => [`${method} ${path}`, schema] as const,
      )
    })
    expect(schemas.length).toBeGreaterThan(80)
    for (const [where, schema] of schemas) expect(() => ajv.compile(schema), where).not.toThrow()
    const events = document.paths['/api/stream'].get.responses[200]['x-events']
    expect(Object.keys(events).sort()).toEqual(['alerts', 'requests', 'reset', 'scopes'])
    for (const schema of Object.values<object>(events)) ajv.compile(schema)
  })

  it('describes bodies as the server takes them', () => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true })
    const takes = ajv.compile(document.paths['/api/keys'].post.requestBody.content['application/json'].schema)
    expect(takes({ role: 'viewer', name: 'screen' })).toBe(true)
    expect(takes({ role: 'root' })).toBe(false)
    expect(takes({ role: 'viewer', rol: 'admin' })).toBe(false)
  })
})
