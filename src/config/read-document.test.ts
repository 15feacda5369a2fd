import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createMachine } from './config.fixture.ts'
import type { InvalidConfigError } from './invalid-config-error.ts'
import { readDocument, readYaml } from './read-document.ts'

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read()
    return []
  } catch (error) {
    return (error as InvalidConfigError).problems.map(({ place, message }) => `${place}: ${message}`)
  }
}

const yamlProblems = (text: string) => problemsOf(() => readYaml('x.yaml', text))

describe('YAML', () => {
  it('is read as plain values, each with its line', () => {
    const text = '# a comment\nlimits:\n  cost: 1.5\n  tokens: [200k, { max: 1m, per: day }]\n"team:core":\n  on: yes\n'
    const document = readYaml('x.yaml', text)
    expect(JSON.parse(JSON.stringify(document.value))).toEqual({
      limits: { cost: 1.5, tokens: ['200k', { max: '1m', per: 'day' }] },
      'team:core': { on: 'yes' },
    })
    expect(['limits', 'limits.cost', 'limits.tokens[1].per', '"team:core".on'].map(document.lineOf)).toEqual([
      2, 3, 4, 6,
    ])
  })

  it('G2: __proto__ is a key like any other and changes nothing', () => {
    const { value } = readYaml('x.yaml', '__proto__: { polluted: true }\nconstructor: 1\n')
    expect(Object.getPrototypeOf(value)).toBeNull()
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it.each([
    ['a: 1\nb: *x\n', ['b in x.yaml:2: is an alias (*). Write the value itself.']],
    ['a: &x 1\n', ['a in x.yaml:1: has an anchor (&). Write the value where it is needed.']],
    [
      'a: 1\nb: !!js/function "x"\n',
      ['b in x.yaml:2: has a tag (tag:yaml.org,2002:js/function). Write the plain value.'],
    ],
    ['a: !!str 1\n', ['a in x.yaml:1: has a tag (tag:yaml.org,2002:str). Write the plain value.']],
    ['a: !mine { b: 1 }\n', ['a in x.yaml:1: has a tag (!mine). Write the plain value.']],
    ['a: 1\n<<: { b: 1 }\n', ['x.yaml:2: has a merge key (<<). Write the fields themselves.']],
    ['a: 1\nb: 2\na: 3\n', ['a in x.yaml:3: is written twice. Keep one of them.']],
    ['a: { b: 1, "b": 2 }\n', ['a.b in x.yaml:1: is written twice. Keep one of them.']],
    ['1: x\n', ['x.yaml:1: has the key 1, which is not text. Put it in quotes.']],
    ['? [a]\n: x\n', ['x.yaml:1: has a key that is not plain text.']],
    ['%YAML 1.1\n---\na: 1\n', ['x.yaml:1: Directives (%) are not supported. Leave it out.']],
  ])('%j is refused with its line', (text, problems) => {
    expect(yamlProblems(text)).toEqual(problems)
  })

  it.each(['a: [1\n', 'a: "x\n', 'a: 1\n b: 2\n', '---\na: 1\n---\nb: 2\n', 'a: 1\n\tb: 2\n'])(
    '%j, which is broken, is refused with a line',
    (text) => {
      expect(yamlProblems(text)[0]).toMatch(/^x\.yaml:\d+: /)
    },
  )

  it('G2: alias bombs, deep nesting and too many keys are refused', () => {
    const billion = [
      'a: &a [x]',
      ...'bcdefgh'.split('').map((name, index) => `${name}: &${name} [*${'abcdefg'[index]}]`),
    ]
    expect(yamlProblems(billion.join('\n'))).not.toEqual([])
    const tooDeep = ['x.yaml: The file is nested too deep.']
    expect(yamlProblems('['.repeat(50_000))).toEqual(tooDeep)
    expect(yamlProblems(`a: ${'['.repeat(5_000)}${']'.repeat(5_000)}`)).toEqual(tooDeep)
    expect(yamlProblems(`a: ${'['.repeat(40)}${']'.repeat(40)}`)[0]).toContain('nested more than 32 levels deep')
    expect(yamlProblems('- '.repeat(20_000))).toEqual(tooDeep)
    const keys = Array.from({ length: 60_000 }, (_, index) => `k${index}: 1`)
    expect(yamlProblems(keys.join('\n'))).not.toEqual([])
  })
})

describe('a config file', () => {
  it('in JSON is strict JSON, and may contain tabs', () => {
    const machine = createMachine()
    const good = machine.write('a.json', '{\n\t"limits": {\n\t\t"cost": 1\n\t}\n}\n')
    const document = readDocument(good)
    expect(document.lineOf('limits.cost')).toBe(3)
    expect(JSON.parse(JSON.stringify(document.value))).toEqual({ limits: { cost: 1 } })
    const wrong = machine.write('b.json', '{\n  "limits": {},\n  // no comments\n}\n')
    expect(problemsOf(() => readDocument(wrong))[0]).toContain('This is not valid JSON')
    const twice = machine.write('c.json', '{\n  "store": "memory:",\n  "store": "memory:"\n}\n')
    expect(problemsOf(() => readDocument(twice))).toEqual([`store in ${twice}:3: is written twice. Keep one of them.`])
  })

  it('that is too large is refused before it is read', () => {
    const file = createMachine().write('large.yaml', '#'.repeat(1024 * 1024 + 1))
    expect(problemsOf(() => readDocument(file))[0]).toContain('a config has at most 1048576')
  })

  it('that is binary, not a file, a dead link or missing is refused by name', () => {
    const machine = createMachine()
    const folder = join(machine.folder, 'folder.yaml')
    mkdirSync(folder)
    const link = join(machine.folder, 'link.yaml')
    symlinkSync(join(machine.folder, 'nowhere'), link)
    const binary = machine.write('binary.yaml', '')
    writeFileSync(binary, new Uint8Array([0xff, 0xfe, 0x00]))
    expect(problemsOf(() => readDocument(binary))).toEqual([`${binary}: The file is not text in UTF-8.`])
    expect(problemsOf(() => readDocument(folder))).toEqual([
      `${folder}: This is not a file. Put the config into a file of this name.`,
    ])
    expect(problemsOf(() => readDocument(link))).toEqual([`${link}: The link is broken.`])
    expect(problemsOf(() => readDocument(join(machine.folder, 'gone.yaml')))[0]).toContain('There is no such file.')
  })
})
