import { describe, expect, it } from 'vitest'
import type { AgentFormat } from '../../policy/index.ts'
import type { Agent } from '../agent.ts'
import { agentFromDraft } from '../agent-from-draft.ts'
import { agentText } from '../agents.fixture.ts'
import { readAgent } from './read-agent.ts'

function read(lines: string, format: AgentFormat = 'stint', prompt?: string) {
  return readAgent(agentText(lines, prompt), { source: 'project', format, file: 'agents/x.md', nameOfFile: 'x' })
}

function agentOf(lines: string, format: AgentFormat = 'stint', prompt?: string): Agent {
  const draft = read(lines, format, prompt)
  if (draft.kind === 'refused') throw new Error(draft.problems.map(({ message }) => message).join('\n'))
  return agentFromDraft(draft, [])
}

function problemsOf(lines: string, format: AgentFormat = 'stint') {
  const draft = read(lines, format)
  return draft.kind === 'refused' ? draft.problems : []
}

const limitsOf = ({ limits }: Agent) =>
  limits.layers.flatMap(({ entries }) =>
    entries.map((entry) => `${entry.meter}=${entry.kind === 'set' ? entry.max : 'removed'}`),
  )

describe('an agent file', () => {
  it("needs no fields: its name is the file's", () => {
    expect(agentOf('# nothing')).toEqual({
      name: 'x',
      description: '',
      prompt: 'Do it.',
      source: 'project',
      format: 'stint',
      file: 'agents/x.md',
      model: null,
      fallbackModels: [],
      thinking: null,
      tools: null,
      disallowedTools: [],
      mcpServers: [],
      defaultContext: null,
      output: null,
      outputMode: 'inline',
      defaultReads: [],
      defaultProgress: false,
      completionGuard: true,
      repeatGuard: true,
      attempts: 1,
      acceptance: null,
      handoffs: null,
      systemPromptMode: 'append',
      inheritProjectContext: true,
      limits: { layers: [expect.anything()], team: [], user: [], askAbove: [] },
      preset: null,
      unknownFields: {},
      untrustedModels: {},
      leftOut: [],
    })
  })

  it("in Stint's format has every field", () => {
    const agent = agentOf(
      'name: dev.one\ndescription: Helps.\npreset: qa\nmodel: haiku\nfallbackModels: [opus, openai/gpt-5]\n' +
        'thinking: off\ntools: [read, bash]\ndisallowedTools: bash\nmcpServers: docs\ndefaultContext: fork\n' +
        'output: out/x.md\noutputMode: file-only\ndefaultReads: plan.md, notes/a.md\ndefaultProgress: true\n' +
        'completionGuard: false\nsystemPromptMode: replace\ninheritProjectContext: false\nauthor: ann\n' +
        'attempts: 2\nhandoffs: { explore: { messages: 10 } }\nlimits: { cost: 1 }\nonLimit: warn',
    )
    expect(agent).toMatchObject({
      name: 'dev.one',
      description: 'Helps.',
      preset: 'qa',
      model: 'haiku',
      fallbackModels: ['opus', 'openai/gpt-5'],
      thinking: 'off',
      tools: ['read', 'bash'],
      disallowedTools: ['bash'],
      mcpServers: ['docs'],
      defaultContext: 'fork',
      output: 'out/x.md',
      outputMode: 'file-only',
      attempts: 2,
      handoffs: { explore: { messages: 10 } },
      defaultReads: ['plan.md', 'notes/a.md'],
      defaultProgress: true,
      completionGuard: false,
      systemPromptMode: 'replace',
      inheritProjectContext: false,
      unknownFields: { author: 'ann' },
    })
    expect(agent.limits.layers[0]).toMatchObject({ layer: 'project', onLimit: { action: 'warn' } })
    expect(agent.limits.layers[0]?.entries[0]?.source).toMatchObject({ file: 'agents/x.md', line: 22 })
  })

  it("in pi's format has pi's fields and defaults, and keeps unused ones", () => {
    const agent = agentOf(
      'name: slow\npackage: tools\ndescription: Slow.\ntools: read, mcp:docs/search\nmaxSubagentDepth: 1\n' +
        'maxExecutionTimeMs: 600000\nmaxTokens: 50000\ninheritSkills: true\nskills: a, b\ninteractive: true\noutput: false\nicon: x',
      'pi',
    )
    expect(agent).toMatchObject({
      name: 'tools.slow',
      tools: ['read', 'mcp:docs/search'],
      output: null,
      systemPromptMode: 'replace',
      inheritProjectContext: false,
      unknownFields: { package: 'tools', inheritSkills: true, skills: 'a, b', interactive: true, icon: 'x' },
    })
    expect(limitsOf(agent).sort()).toEqual(['depth=1', 'time=600000', 'uncachedTokens=50000'])
  })

  it("in Claude Code's format: inherit is the default model, maxTurns are model calls", () => {
    const agent = agentOf(
      'name: reviewer-2\ndescription: Reviews.\nmodel: inherit\ntools: Read, Bash(git add:*, git commit:*)\n' +
        'disallowedTools: [Write]\nmaxTurns: 7\npermissionMode: plan\ncolor: blue\nhooks: { PreToolUse: [] }',
      'claude-code',
    )
    expect(agent).toMatchObject({
      model: null,
      tools: ['Read', 'Bash(git add:*, git commit:*)'],
      disallowedTools: ['Write'],
      unknownFields: { permissionMode: 'plan', color: 'blue', hooks: { PreToolUse: [] } },
    })
    expect(limitsOf(agent)).toEqual(['modelCalls=7'])
    expect(agentOf('tools: "*"', 'claude-code').tools).toBeNull()
  })

  it("gets its role's preset by name, another one by the field, none with false", () => {
    expect(agentOf('name: developer').preset).toBe('developer')
    expect(agentOf('name: developer\npreset: qa').preset).toBe('qa')
    expect(agentOf('name: developer\npreset: false').preset).toBeNull()
  })

  it('distinguishes no tools from unspecified tools', () => {
    expect(agentOf('tools: []').tools).toEqual([])
    expect(agentOf('tools: false').tools).toBeNull()
    expect(problemsOf('tools:')[0]?.message).toContain('leave the field out')
    expect(problemsOf('tools: ""')).toHaveLength(1)
  })

  it('gets the published defaults with execution_limits, ranked below its own limits', () => {
    const { layers, user } = agentOf('execution_limits: { max_turns: 5, user_budget_usd: 10 }').limits
    expect(layers.map(({ layer }) => layer)).toEqual(['defaults', 'project'])
    expect(user).toHaveLength(1)
  })

  it('with Windows line endings has a prompt without them', () => {
    const text = agentText('name: x', 'one\ntwo').replaceAll('\n', '\r\n')
    const origin = { source: 'user', format: 'stint', file: 'x.md', nameOfFile: 'x' } as const
    expect(readAgent(text, origin)).toMatchObject({ prompt: 'one\ntwo' })
  })

  it('is deeply frozen', () => {
    const agent = agentOf('tools: [read]\nextra: { a: [1] }')
    expect(() => (agent.tools as string[]).push('bash')).toThrow()
    expect(() => (agent.unknownFields.extra as { a: number[] }).a.push(2)).toThrow()
  })

  it('G2: with maxTokens: 50k or max_turns: lots is refused with file, line, field, value and the remedy', () => {
    for (const format of ['stint', 'pi'] as const) {
      expect(problemsOf('name: slow\nmaxTokens: 50k', format)).toEqual([
        {
          file: 'agents/x.md',
          line: 3,
          field: 'maxTokens',
          value: '"50k"',
          message:
            '"50k" is not a whole number. maxTokens takes a whole number: write 50000, or limits: { tokens: 50k }.',
        },
      ])
    }
    for (const format of ['stint', 'pi', 'claude-code'] as const) {
      const [problem] = problemsOf('name: slow\n\nmax_turns: lots', format)
      expect(problem).toMatchObject({ file: 'agents/x.md', line: 4, field: 'max_turns', value: '"lots"' })
    }
  })

  it('lists all its problems at once', () => {
    const fields = problemsOf('name: a/b\nmodel: 5\ntools: 7\nlimits: { csot: 1, cost: lots }\ntoolz: x').map(
      ({ line, field }) => `${line} ${field}`,
    )
    expect(fields.sort()).toEqual(['2 name', '3 model', '4 tools', '5 limits.cost', '5 limits.csot', '6 toolz'])
  })

  it.each([
    ['stint', 'modle: haiku', 'model'],
    ['stint', 'tool: read', 'tools'],
    ['pi', 'tool: read', 'tools'],
    ['claude-code', 'disallowed_tool: Write', 'disallowedTools'],
    ['stint', 'thinkin: off', 'thinking'],
    ['pi', 'maxToken: 5', 'maxTokens'],
  ] as const)('in %s format with %s is refused with the suggestion %s', (format, line, meant) => {
    expect(problemsOf(line, format)[0]?.message).toContain(`Did you mean ${JSON.stringify(meant)}?`)
  })

  it.each([
    'title: x',
    'version: 2',
    'tags: [a]',
    'license: MIT',
    'color: red',
    'metadata: { a: 1 }',
    'argument-hint: x',
  ])('may have %s, which is kept', (line) => {
    for (const format of ['stint', 'pi', 'claude-code'] as const) expect(problemsOf(line, format)).toEqual([])
  })

  it.each([
    '..',
    '../x',
    'a/b',
    'a\\\\b',
    'a..b',
    '.hidden',
    'x'.repeat(300),
    '',
    ' x',
    'x ',
    'a:b',
    '"a\\0b"',
    'a\\u202eb',
  ])('I7: cannot be called %s', (name) => {
    const quoted = name.startsWith('"') ? name : `"${name}"`
    expect(problemsOf(`name: ${quoted}`)[0]).toMatchObject({ field: 'name', line: 2 })
  })

  it.each(['/etc/passwd', '../x', 'a/../../x', '..', '~/x', 'C:\\x', '"a\\0b"', '..\\x'])(
    'I7: cannot write its output to %s, and reads nothing there',
    (path) => {
      for (const field of ['output', 'defaultReads'])
        expect(problemsOf(`${field}: ${path}`)[0]).toMatchObject({ field })
    },
  )
})
