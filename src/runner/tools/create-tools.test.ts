import { readFileSync } from 'node:fs'
import { asSchema, type ToolSet } from 'ai'
import { describe, expect, it } from 'vitest'
import { openTools } from './tools.fixture.ts'

// Keywords that some provider refuses or interprets differently.
const NOT_PLAIN = ['allOf', 'anyOf', 'oneOf', '$ref', 'not', 'if', 'then', 'else', 'const', '$defs', 'definitions']

async function schemaOf({ inputSchema }: ToolSet[string]): Promise<Record<string, unknown>> {
  return (await asSchema(inputSchema).jsonSchema) as Record<string, unknown>
}

function assertPlain(schema: unknown, place: string): void {
  const {
    type,
    properties = {},
    required = [],
    items,
    ...rest
  } = schema as Record<string, unknown> & {
    properties?: Record<string, unknown>
    required?: readonly string[]
  }
  expect(typeof type, place).toBe('string')
  expect(
    NOT_PLAIN.filter((key) => key in rest),
    place,
  ).toEqual([])
  expect(
    required.filter((name) => !Object.hasOwn(properties, name)),
    place,
  ).toEqual([])
  for (const [name, part] of Object.entries(properties)) assertPlain(part, `${place}.${name}`)
  if (items !== undefined) assertPlain(items, `${place}[]`)
}

describe('the tools of a run', () => {
  it('H11: have plain schemas', async () => {
    const { tools } = await openTools()
    const names = Object.keys(tools)
    expect(names).toEqual(['read', 'write', 'edit', 'grep', 'glob', 'bash'])
    for (const name of names) {
      const schema = await schemaOf(tools[name]!)
      expect(schema.type).toBe('object')
      assertPlain(schema, name)
    }
  })

  it('are on their docs page, with all their parameters', async () => {
    const { tools, declarations } = await openTools()
    const page = readFileSync(new URL('../../../docs/reference/tools.md', import.meta.url), 'utf8')
    for (const [name, tool] of Object.entries(tools)) {
      const { properties } = await schemaOf(tool)
      const inputs = Object.keys(properties as object).map((input) => `\`${input}\``)
      const row = `| \`${name}\` | ${inputs.join(', ')} | ${declarations[name]?.changes ? 'yes' : 'no'} |`
      expect(page).toContain(row)
    }
  })

  it('say whether they change anything, and how long they may take', async () => {
    const { declarations } = await openTools()
    const changing = Object.entries(declarations).filter(([, { changes }]) => changes)
    expect(changing.map(([name]) => name)).toEqual(['write', 'edit', 'bash'])
    expect(Object.values(declarations).every(({ timeoutMs = 0 }) => timeoutMs > 0)).toBe(true)
  })

  it('are the requested ones', async () => {
    const { tools, declarations, missing } = await openTools({ names: ['Read', 'Grep', 'WebFetch'], without: ['grep'] })
    expect([Object.keys(tools), Object.keys(declarations), missing]).toEqual([['read'], ['read'], ['WebFetch']])
    await expect(openTools({ names: ['raed'] })).rejects.toMatchObject({ code: 'invalid_option' })
  })
})
