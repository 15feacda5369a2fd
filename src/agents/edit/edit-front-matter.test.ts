import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseYaml } from '../../documents/index.ts'
import { editFrontMatter } from './edit-front-matter.ts'

const TEXT = `# who it is
name: x   # the name

# how much it may spend
limits:
    # in dollars
    cost: 1   # one
    tokens: '50k'

tools:
- read
- grep # finds
description: >-
  many words
  over lines
unknown: { b: 2,   a: 1 } # as it was
`
const set = (field: string, value: unknown) => ({ path: field.split('.'), value })

describe('editing front matter', () => {
  it('changes one value and leaves every other byte unchanged', () => {
    expect(editFrontMatter(TEXT, [set('name', 'y')])).toBe(TEXT.replace('name: x ', 'name: y '))
    expect(editFrontMatter(TEXT, [set('description', 'few')])).toBe(
      TEXT.replace('>-\n  many words\n  over lines', 'few'),
    )
    expect(editFrontMatter(TEXT, [set('unknown', 5)])).toBe(TEXT.replace('{ b: 2,   a: 1 }', '5'))
    expect(editFrontMatter(TEXT, [set('tools', ['bash'])])).toContain('tools:\n  - bash\ndescription')
  })

  it('changes, adds and removes nested values, and keeps the comments around them', () => {
    const changed = editFrontMatter(TEXT, [set('limits.cost', 2), set('limits.time', '10m')])
    expect(changed).toContain("limits:\n  # in dollars\n  cost: 2 # one\n  tokens: '50k'\n  time: 10m\n\ntools:")
    expect(changed.replace(/limits:[\s\S]*?\n\n/, '')).toBe(TEXT.replace(/limits:[\s\S]*?\n\n/, ''))
    expect(editFrontMatter(TEXT, [set('limits.tokens', undefined)])).not.toContain('tokens')
    expect(editFrontMatter(TEXT, [set('limits.cost', undefined), set('limits.tokens', undefined)])).not.toContain(
      'limits',
    )
  })

  it('removes a field with its line, and nothing else', () => {
    expect(editFrontMatter(TEXT, [set('name', undefined)])).toBe(TEXT.replace('name: x   # the name\n', ''))
    expect(editFrontMatter(TEXT, [set('tools', undefined)])).toBe(TEXT.replace('tools:\n- read\n- grep # finds\n', ''))
    expect(editFrontMatter(TEXT, [set('nothing', undefined), set('limits.nothing.more', undefined)])).toBe(
      editFrontMatter(TEXT, [set('limits.nothing', undefined)]),
    )
  })

  it('appends a field, even to an empty file or one with only comments', () => {
    expect(editFrontMatter(TEXT, [set('model', 'haiku')])).toBe(`${TEXT}model: haiku\n`)
    expect(editFrontMatter('', [set('limits.cost', 1)])).toBe('limits:\n  cost: 1\n')
    expect(editFrontMatter('# later\n', [set('name', 'x')])).toBe('# later\nname: x\n')
    expect(editFrontMatter('name: x', [set('model', 'haiku')])).toBe('name: x\nmodel: haiku\n')
    expect(editFrontMatter('{ name: x }\n', [set('model', 'haiku')])).toBe('{ name: x, model: haiku }\n')
    expect(editFrontMatter('model:\nname: x\n', [set('model', 'haiku')])).toBe('model: haiku\nname: x\n')
  })

  it('keeps Windows line endings', () => {
    const windows = TEXT.replaceAll('\n', '\r\n')
    const changes = [set('name', 'y'), set('limits.time', '10m'), set('tools', ['a', 'b']), set('model', 'haiku')]
    const changed = editFrontMatter(windows, changes)
    expect(changed).toBe(editFrontMatter(TEXT, changes).replaceAll('\n', '\r\n'))
  })

  it('refuses an edit that would change anything else', () => {
    expect(() => editFrontMatter(TEXT, [set('tools.bash', 1)])).toThrow()
  })

  it('reads back exactly the requested value, whatever the text', () => {
    const value = fc.oneof(
      fc.string({ maxLength: 20 }).filter((text) => !/[\p{Cs}\p{Cc}\uFEFF]/u.test(text)),
      fc.integer(),
      fc.boolean(),
      fc.array(fc.constantFrom('read', 'a, b', '# x', '- y', ': z'), { maxLength: 3 }),
      fc.constant(undefined),
    )
    const field = fc.constantFrom(
      'name',
      'limits.cost',
      'limits.tokens',
      'limits.time',
      'tools',
      'model',
      'unknown',
      'description',
    )
    const change = fc.tuple(field, value).map(([name, wanted]) => set(name, wanted))
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), fc.boolean(), (changes, isWindows) => {
        const before = isWindows ? TEXT.replaceAll('\n', '\r\n') : TEXT
        const after = editFrontMatter(before, changes)
        const reading = parseYaml('x', after)
        if (reading.kind === 'refused') throw new Error(reading.problems[0]?.message)
        const { path, value: wanted } = changes.at(-1)!
        const found = path.reduce<unknown>(
          (at, key) => (at as Record<string, unknown> | undefined)?.[key],
          reading.document.value ?? {},
        )
        expect(found).toEqual(wanted)
        // The comments of untouched fields are still there.
        if (!changes.some(({ path: [top] }) => top === 'limits')) expect(after).toContain('cost: 1   # one')
      }),
      { numRuns: 300 },
    )
  })
})
