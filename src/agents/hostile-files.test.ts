import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentText, createAgentMachine, PROJECT } from './agents.fixture.ts'
import { FIELD_RULES, FIELDS_BY_FORMAT } from './fields/agent-fields.ts'

const repeat = (text: string, times: number) => text.repeat(times)
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')

// Available on every system with named pipes.
const MAKE_PIPE = 'mkfifo'

// Would write this file if anything in an agent file were ever executed.
const PROOF = 'STINT_EXECUTED'
const script = `require('node:fs').writeFileSync('${PROOF}', '')`

const BROKEN: Readonly<Record<string, string | Uint8Array>> = {
  'other-language-js': `---js\n${script}\n---\n`,
  'other-language-js-spaced': `--- js\n${script}\n---\n`,
  'other-language-javascript': `---javascript\nmodule.exports = ${script}\n---\n`,
  'other-language-coffee': `---coffee\n${script}\n---\n`,
  'other-language-json': '---json\n{"name":"x"}\n---\n',
  'other-language-toml': '---toml\nname = "x"\n---\n',
  'other-language-yaml': '---yaml\nname: x\n---\n',
  'four-dashes': '----\nname: x\n----\n',
  'js-behind-byte-order-mark': `\uFEFF---js\n${script}\n---\n`,
  'js-with-windows-ends': `---js\r\n${script}\r\n---\r\n`,
  'no-end': '---\nname: x\nmodel: haiku\n',
  'no-end-indented': '---\nname: x\n  ---\n',
  'no-end-in-64-kib': `---\n${repeat('# comment\n', 10_000)}---\n`,
  'no-front-matter': 'You are an agent.\n',
  'late-front-matter': '\n---\nname: x\n---\n',
  empty: '',
  'only-space': ' \n\n',
  'ten-mebibytes': repeat('x', 10 * 1024 * 1024),
  'ten-mebibytes-of-yaml': `---\n${repeat('a: 1\n', 2 * 1024 * 1024)}---\n`,
  'just-too-large': agentText('name: x', repeat('x', 256 * 1024)),
  binary: Uint8Array.from({ length: 4096 }, (_, index) => (index * 31) % 256),
  'elf-header': Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]),
  'nul-in-front-matter': '---\nname: x\0y\n---\n',
  'nul-in-prompt': '---\nname: x\n---\nbe\0ware\n',
  'utf-16': new Uint8Array(Buffer.from('\uFEFF---\nname: x\n---\n', 'utf16le')),
  'invalid-utf-8': Uint8Array.from([...Buffer.from('---\nname: '), 0xc3, 0x28, ...Buffer.from('\n---\n')]),
  'overlong-utf-8': Uint8Array.from([...Buffer.from('---\nname: '), 0xc0, 0xaf, ...Buffer.from('\n---\n')]),
  'alias-bomb': agentText(
    [
      'a: &a [x, x, x, x, x, x, x, x, x]',
      ...lines(9, (i) => `${'bcdefghij'[i]}: &${'bcdefghij'[i]} [${repeat(`*${'abcdefghi'[i]}, `, 9)}]`).split('\n'),
    ].join('\n'),
  ),
  'alias-of-itself': agentText('a: &a [*a]'),
  'alias-unknown': agentText('name: *nobody'),
  anchor: agentText('name: &x one'),
  'anchor-on-key': agentText('&x name: one'),
  'anchor-on-map': agentText('limits: &x { cost: 1 }'),
  'anchor-on-whole': agentText('&all\nname: one'),
  'merge-key': agentText('base: { cost: 1 }\nlimits:\n  <<: { cost: 1000 }'),
  'merge-at-top': agentText('<<: { tools: [bash] }'),
  'merge-alias': agentText('a: &a { cost: 1 }\nlimits: { <<: *a }'),
  'tag-js-function': agentText(`name: !!js/function "function () { ${script} }"`),
  'tag-js-regexp': agentText('name: !!js/regexp /(a+)+$/'),
  'tag-js-undefined': agentText('name: !!js/undefined x'),
  'tag-python': agentText('name: !!python/object/apply:os.system ["id"]'),
  'tag-ruby': agentText('name: !ruby/object:Gem::Installer x'),
  'tag-java': agentText('name: !!javax.script.ScriptEngineManager [x]'),
  'tag-binary': agentText('name: !!binary aGVsbG8='),
  'tag-set': agentText('tools: !!set { read, bash }'),
  'tag-str': agentText('name: !!str 5'),
  'tag-own': agentText('name: !mine x'),
  'tag-include': agentText('name: !include /etc/passwd'),
  'tag-env': agentText('name: !ENV HOME'),
  'directive-yaml': '---\n%YAML 1.1\n---\nname: x\n---\n',
  'directive-tag': agentText('%TAG ! tag:x,2000:\nname: x'),
  'nested-flow': agentText(`a: ${repeat('[', 30_000)}`),
  'nested-flow-closed': agentText(`a: ${repeat('[', 5000)}${repeat(']', 5000)}`),
  'nested-maps': agentText(`a: ${repeat('{a: ', 5000)}1${repeat('}', 5000)}`),
  'nested-dashes': agentText(repeat('- ', 20_000)),
  'nested-questions': agentText(repeat('? ', 20_000)),
  'nested-blocks': agentText(lines(200, (i) => `${repeat(' ', i)}a:`)),
  'nested-33': agentText(`a: ${repeat('[', 40)}${repeat(']', 40)}`),
  'many-keys-alike': agentText(lines(5000, () => 'a: 1')),
  'same-key-twice': agentText('name: x\nname: y'),
  'same-key-quoted': agentText('name: x\n"name": y'),
  'same-limit-twice': agentText('limits: { cost: 1, cost: 2 }'),
  'proto-field': agentText('__proto__: { tools: [bash], polluted: true }'),
  'proto-nested': agentText('limits: { __proto__: { cost: 1000 } }'),
  'proto-in-list': agentText('extra: [{ __proto__: { polluted: true } }]'),
  'proto-quoted': agentText('"__proto__": 1'),
  'constructor-field': agentText('constructor: { prototype: { polluted: true } }'),
  'prototype-field': agentText('prototype: { polluted: true }'),
  'front-matter-list': agentText('- name: x'),
  'front-matter-text': agentText('just text'),
  'front-matter-number': agentText('5'),
  'front-matter-flow-list': agentText('[name, x]'),
  'two-documents': '---\nname: x\n--- # more\nname: y\n---\n',
  'number-as-key': agentText('1: x'),
  'list-as-key': agentText('? [a]\n: x'),
  'null-as-key': agentText('~: x'),
  'tab-indent': agentText('limits:\n\tcost: 1'),
  'open-quote': agentText('name: "x'),
  'open-list': agentText('tools: [read'),
  'open-map': agentText('limits: { cost: 1'),
  'bad-escape': agentText('name: "\\q"'),
  'bad-indent': agentText('name: x\n model: y'),
  'block-scalar-header': agentText('description: |99\n  x'),
  'reserved-at': agentText('name: @x'),
  'reserved-backtick': agentText('name: `x`'),
  'name-up': agentText('name: ../../etc/passwd'),
  'name-slash': agentText('name: a/b'),
  'name-backslash': agentText('name: a\\b'),
  'name-nul': agentText('name: "a\\0b"'),
  'name-long': agentText(`name: ${repeat('x', 300)}`),
  'name-line-break': agentText('name: "a\\nb"'),
  'name-escape': agentText('name: "\\e[31mred"'),
  'name-turned': agentText('name: "a\\u202eb"'),
  'name-empty': agentText('name: ""'),
  'output-absolute': agentText('output: /etc/cron.d/x'),
  'output-up': agentText('output: ../../.bashrc'),
  'reads-secret': agentText('defaultReads: ~/.ssh/id_rsa'),
  'reads-up': agentText('defaultReads: [a, b/../../c]'),
  'model-with-space': agentText('model: "gpt --dangerous"'),
  'list-too-long': agentText(`tools: [${repeat('x, ', 300)}x]`),
  'item-too-long': agentText(`tools: [${repeat('x', 600)}]`),
  'description-too-long': agentText(`description: ${repeat('x', 10_001)}`),
  'limit-infinite': agentText('limits: { cost: .inf }'),
  'limit-nan': agentText('limits: { tokens: .nan }'),
  'limit-negative': agentText('limits: { turns: -1 }'),
  'limit-huge': agentText('limits: { tokens: 1e20 }'),
  'limit-hex': agentText('limits: { tokens: 0x10000000000000000 }'),
  'limit-empty': agentText('limits: { time: "" }'),
  'limit-misspelt': agentText('limits: { csot: 1 }'),
  'limit-at-top': agentText('toolCalls: 5'),
  'limit-near-top': agentText('max_turn: 5'),
  'limits-true': agentText('limits: true'),
  'limits-list-of-lists': agentText('limits: [[[]]]'),
  'many-fields': agentText(lines(2000, (i) => `k${i}: 1`)),
}

// A value of a wrong type for each of our fields.
const WRONG: Readonly<Record<string, string>> = {
  number: '-5',
  null: '~',
  map: '{ a: 1 }',
  nested: '[[[1]]]',
  'list-of-numbers': '[1, 2]',
  date: '2026-01-01T00:00:00Z x\n y: z',
}

function wrongValues(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.keys(FIELD_RULES)
      .filter((field) => (FIELDS_BY_FORMAT.stint as readonly string[]).includes(field))
      .flatMap((field) =>
        Object.entries(WRONG).map(([kind, value]) => [
          `wrong-${field}-${kind}`,
          agentText(`first: 1\n${field}: ${value}`),
        ]),
      ),
  )
}

describe('hostile agent files', () => {
  const files = { ...BROKEN, ...wrongValues() }

  it(`number at least 160 (${Object.keys(files).length})`, () => {
    expect(Object.keys(files).length).toBeGreaterThanOrEqual(160)
  })

  it('G2: never run anything or hang, and each is named with its file and line', () => {
    const machine = createAgentMachine()
    const written = Object.entries(files).map(([name, content]) =>
      machine.write(`${PROJECT}/.stint/agents/${name}.md`, content),
    )
    const { problems, agents } = machine.find()
    for (const file of written) {
      const own = problems.filter((problem) => problem.file === file)
      expect(own.length, file).toBeGreaterThan(0)
      for (const { line, message } of own) {
        expect(line, `${file}: ${message}`).toBeGreaterThanOrEqual(1)
        expect(message).toMatch(/^[^\p{Cc}]+$/u)
        expect(message.length, message).toBeLessThan(600)
      }
    }
    expect([...agents.values()].filter(({ source }) => source === 'project')).toEqual([])
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    for (const folder of [process.cwd(), machine.workingFolder]) expect(existsSync(join(folder, PROOF))).toBe(false)
  })

  it.each(['stint', 'claude', 'pi'])('are refused in .%s/agents too, whatever their fields are called', (kind) => {
    const machine = createAgentMachine()
    const written = Object.entries(BROKEN)
      // Ours only: other programs have other fields.
      .filter(([name]) => kind === 'stint' || !/^(?:output|reads|limit-near)/.test(name))
      .map(([name, content]) => machine.write(`${PROJECT}/.${kind}/agents/${name}.md`, content))
    const { problems } = machine.find()
    const named = new Set(problems.map(({ file }) => file))
    expect(written.filter((file) => !named.has(file))).toEqual([])
  })

  it('do not block when one is a pipe', () => {
    const machine = createAgentMachine()
    machine.write(`${PROJECT}/.stint/agents/good.md`, agentText('name: good'))
    const pipe = join(machine.workingFolder, '.stint/agents/pipe.md')
    execFileSync(MAKE_PIPE, [pipe])
    const { agents, problems } = machine.find()
    expect(agents.has('good')).toBe(true)
    expect(problems).toMatchObject([{ file: pipe }])
  })

  it('are bounded in number per folder, and folders in number per search', () => {
    const machine = createAgentMachine()
    for (let index = 0; index < 2100; index++) machine.write(`${PROJECT}/.stint/agents/a${index}.md`, '')
    machine.write(`${PROJECT}/.claude/agents/${repeat('d/', 12)}deep.md`, agentText('name: deep'))
    const { problems, agents } = machine.find()
    expect(problems.some(({ message }) => message.includes('more than 2000 agents'))).toBe(true)
    expect(problems.some(({ message }) => message.includes('levels deep'))).toBe(true)
    expect(agents.has('deep')).toBe(false)
  })
})
