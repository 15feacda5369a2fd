import { describe, expect, it } from 'vitest'
import { type LayerInput, resolveLimits, roleLayer } from '../policy/index.ts'
import { collectingTrust, factOf, recordedTrust, TRUST_NOTHING, type Trust } from '../trust/index.ts'
import type { Agent, AgentOverrides, FoundAgents } from './agent.ts'
import { agentNamed } from './agent-named.ts'
import { type AgentMachine, agentText, createAgentMachine, HOME, overridesOf, PROJECT } from './agents.fixture.ts'

const find = (machine: AgentMachine, overrides: readonly AgentOverrides[] = [], trust: Trust = TRUST_NOTHING) =>
  machine.find(overrides, machine.workingFolder, trust)
const leftOut = ({ leftOut: claims }: FoundAgents) => claims.map(({ path }) => path.join('.'))
const maximaOf = ({ limits }: Agent, ...more: readonly LayerInput[]) =>
  resolveLimits([roleLayer('x'), ...more, ...limits.layers]).limits.map(({ meter, max, action }) => [
    meter,
    max,
    action,
  ])

/** An agent of an untrusted project with these lines of front matter. */
function untrusted(lines: string, path = '.stint/agents/helper.md') {
  const machine = createAgentMachine()
  const file = machine.write(`${PROJECT}/${path}`, agentText(`name: helper\n${lines}`))
  const found = find(machine)
  return { machine, file, found, agent: agentNamed(found, 'helper') }
}

describe('an agent of an untrusted project', () => {
  it('runs with its harmless settings', () => {
    const { agent, found } = untrusted(
      'description: d\nmodel: sonnet\ntools: Read, write, ls\nthinking: low\noutput: out.md\ndefaultReads: a.md\ncolor: red',
    )
    expect(agent).toMatchObject({
      description: 'd',
      model: 'sonnet',
      tools: ['Read', 'write', 'ls'],
      thinking: 'low',
      output: 'out.md',
      defaultReads: ['a.md'],
      prompt: 'Do it.',
      leftOut: [],
    })
    expect(found.leftOut).toEqual([])
  })

  it.each([
    ['tools: read, Bash', ['read'], ['tools.bash']],
    ['tools: [read, shell]', ['read'], ['tools.bash']],
    ['tools: "Bash(git log:*), read"', ['read'], ['tools.bash(git log:*)']],
    ['tools: read, mcp:github, mcp__docs__find', ['read'], ['tools.mcp:github', 'tools.mcp__docs__find']],
    ['tools: read, tool-of-tomorrow', ['read'], ['tools.tool-of-tomorrow']],
    ['tools: "*"', ['read', 'write', 'edit', 'grep', 'glob', 'budget'], ['tools.bash']],
    ['tools: all', ['read', 'write', 'edit', 'grep', 'glob', 'budget'], ['tools.bash']],
    ['model: haiku', ['read', 'write', 'edit', 'grep', 'glob', 'budget'], ['tools.bash']],
  ])('%s gets no bash and no MCP server', (lines, tools, claims) => {
    const { agent, found, file } = untrusted(lines)
    expect(agent.tools).toEqual(tools)
    expect(leftOut(found)).toEqual(claims)
    expect(agent.leftOut![0]).toMatch(new RegExp(`^tools in ${file}(:\\d)?$`))
  })

  it('gets no MCP server, and keeps every guard', () => {
    const { agent, found } = untrusted('tools: read\nmcpServers: docs, tracker\nrepeatGuard: false')
    expect(agent).toMatchObject({ mcpServers: [], repeatGuard: true })
    expect(leftOut(found)).toEqual(['mcpServers.docs', 'mcpServers.tracker', 'repeatGuard'])
  })

  it('has no limit above those of an agent without a role, whatever it and its preset say', () => {
    const more = untrusted('preset: architect\nlimits: { turns: 90, cost: unlimited }\nonLimit: warn').agent
    expect(more.preset).toBeNull()
    expect(maximaOf(more)).toEqual([
      ['toolCalls', 25, 'terminate'],
      ['cost', 1e9, 'terminate'],
      ['time', 600_000, 'terminate'],
    ])
    const less = untrusted('preset: qa\nlimits: { turns: 5 }').agent
    expect(maximaOf(less)).toEqual([
      ['toolCalls', 5, 'terminate'],
      ['cost', 0.5e9, 'terminate'],
      ['time', 120_000, 'terminate'],
    ])
    const published = untrusted('execution_limits: { max_turns: 99 }').agent
    expect(maximaOf(published, { layer: 'user', limits: { turns: 3, cost: 0.1 } })).toMatchObject([
      ['toolCalls', 3, 'terminate'],
      ['cost', 0.1e9, 'terminate'],
      ['time', 600_000, 'terminate'],
    ])
  })

  it('lists which of its models are not trusted', () => {
    const { agent, file } = untrusted('model: local/free\nfallbackModels: haiku\ntools: read')
    expect(agent.untrustedModels).toEqual({
      'local/free': `model in ${file}:3`,
      haiku: `fallbackModels in ${file}:4`,
    })
  })

  it.each(['.stint/agents', '.claude/agents', '.pi/agents', '.agents'])(
    "cannot take the name of a user's or a built-in agent (%s)",
    (folder) => {
      const machine = createAgentMachine()
      machine.write(`${HOME}/.stint/agents/mine.md`, agentText('name: mine\ntools: read, bash'))
      machine.write(`${PROJECT}/${folder}/mine.md`, agentText('name: mine\ntools: read'))
      machine.write(`${PROJECT}/${folder}/developer.md`, agentText('name: developer\ntools: read'))
      const found = find(machine)
      expect(agentNamed(found, 'mine')).toMatchObject({ source: 'user', tools: ['read', 'bash'] })
      expect(agentNamed(found, 'developer')).toMatchObject({ source: 'built-in' })
      expect(leftOut(found)).toEqual(['name', 'name'])
      expect(found.hidden.map(({ name, source }) => [name, source])).toEqual([
        ['developer', 'project'],
        ['mine', 'project'],
      ])
    },
  )

  it('does not block other agents when its file is unreadable', () => {
    const machine = createAgentMachine()
    machine.write(`${PROJECT}/.stint/agents/developer.md`, agentText('name: developer\nmax_turns: lots'))
    const found = find(machine)
    expect(agentNamed(found, 'developer').source).toBe('built-in')
    expect(found.problems).toHaveLength(1)
  })
})

describe("agent settings in an untrusted project's config", () => {
  const project = (yaml: string) => overridesOf('project', `agents:\n  ${yaml}`, `/repo/stint.config.yaml`)
  const developer = (yaml: string) =>
    agentNamed(find(createAgentMachine(), [project(`developer: ${yaml}`)]), 'developer')

  it('may lower limits, remove tools, name a model and disable an agent', () => {
    const agent = developer('{ limits: { turns: 3 }, tools: [read, bash], disallowedTools: [write], model: haiku }')
    expect(agent).toMatchObject({
      tools: ['read', 'bash'],
      disallowedTools: ['write'],
      model: 'haiku',
      untrustedModels: { haiku: expect.stringContaining('/repo/stint.config.yaml:2') },
      leftOut: [],
    })
    expect(maximaOf(agent)).toContainEqual(['toolCalls', 3, 'terminate'])
    const found = find(createAgentMachine(), [project('developer: { disabled: true }')])
    expect(found.agents.has('developer')).toBe(false)
  })

  it('may not raise limits, add tools, or change anything else', () => {
    const machine = createAgentMachine()
    const said = project(
      'explore: { limits: { turns: 99 }, preset: architect, tools: [read, bash, write], mcpServers: [docs], systemPrompt: Obey., thinking: high, output: x.md, repeatGuard: false }',
    )
    const found = find(machine, [said])
    const before = agentNamed(find(machine), 'explore')
    const agent = agentNamed(found, 'explore')
    expect({ ...agent, limits: null, leftOut: null }).toEqual({
      ...before,
      tools: ['read'],
      limits: null,
      leftOut: null,
    })
    expect(maximaOf(agent)).toEqual(maximaOf(before))
    expect(leftOut(found).map((path) => path.replace('agents.explore.', ''))).toEqual([
      'thinking',
      'mcpServers',
      'output',
      'repeatGuard',
      'tools.bash',
      'tools.write',
      'systemPrompt',
    ])
    expect(agent.leftOut).toContain('agents.explore.systemPrompt in /repo/stint.config.yaml:2')
  })

  it("do not clear the user's settings: tools, forbidden tools, or disabled", () => {
    const machine = createAgentMachine()
    const user = overridesOf(
      'user',
      'agents:\n  developer: { tools: [read], disallowedTools: [grep], preset: qa }\n  qa: { disabled: true }',
    )
    const said = project(
      'developer: { tools: false, disallowedTools: [glob], preset: false, limits: { turns: false } }\n  qa: { disabled: false }',
    )
    const found = find(machine, [user, said])
    const agent = agentNamed(found, 'developer')
    expect(agent).toMatchObject({ tools: ['read'], disallowedTools: ['glob', 'grep'], preset: 'qa' })
    expect(found.agents.has('qa')).toBe(false)
    expect(leftOut(found)).toEqual([
      'agents.developer.preset',
      'agents.developer.tools.*',
      'agents.developer.disallowedTools.grep',
    ])
  })

  it("do not combine with the user's settings for an agent of the same name", () => {
    const machine = createAgentMachine()
    machine.write(`${PROJECT}/.stint/agents/builder.md`, '---\nname: builder\ntools: read\n---\nHi.\n')
    const user = overridesOf('user', 'agents:\n  builder: { tools: [read, bash], limits: { cost: 50 } }')
    const found = find(machine, [user])
    expect(found.agents.has('builder')).toBe(false)
    expect(leftOut(found)).toContain('name')
    expect(find(machine, []).agents.get('builder')?.tools).toEqual(['read'])
  })

  it("are trusted according to their own file, not the project's agents", () => {
    const machine = createAgentMachine()
    const named = { ...project('explore: { tools: [read, bash] }'), trust: { accepts: () => true } }
    expect(agentNamed(find(machine, [named]), 'explore').tools).toEqual(['read', 'bash'])
  })
})

describe('an agent of a trusted project', () => {
  /** Trusts a machine with its current claims. */
  function trustNow(machine: AgentMachine, overrides: readonly AgentOverrides[] = []): Trust {
    const trust = collectingTrust()
    find(machine, overrides, trust)
    const facts = trust.claims.map(factOf)
    const record = { by: 'ann', trustedAtMs: 0, facts }
    return recordedTrust({ read: (folder) => ({ folder, ...record }), write: () => {}, remove: () => false })
  }

  it('behaves as written, also after it asks for less or for something that needs no trust', () => {
    const machine = createAgentMachine()
    const write = (lines: string) => machine.write(`${PROJECT}/.stint/agents/developer.md`, agentText(lines))
    write('name: developer\ntools: read, bash, mcp:docs\nlimits: { turns: 90, cost: 9 }\npreset: architect')
    const trust = trustNow(machine)
    expect(agentNamed(find(machine, [], trust), 'developer')).toMatchObject({ source: 'project', leftOut: [] })
    write('name: developer\ndescription: new\ntools: read, bash\nlimits: { turns: 80, cost: 9 }\npreset: architect')
    const found = find(machine, [], trust)
    const agent = agentNamed(found, 'developer')
    expect(agent).toMatchObject({ tools: ['read', 'bash'], description: 'new', preset: 'architect', leftOut: [] })
    expect(maximaOf(agent)).toContainEqual(['toolCalls', 80, 'terminate'])
    expect(found.leftOut).toEqual([])
  })

  it('asks again for what is new, and only for that', () => {
    const machine = createAgentMachine()
    const write = (lines: string) => machine.write(`${PROJECT}/.stint/agents/developer.md`, agentText(lines))
    write('name: developer\ntools: read, bash\nlimits: { turns: 20 }')
    const trust = trustNow(machine)
    write('name: developer\ntools: read, bash, mcp:evil\nlimits: { turns: 21 }')
    machine.write(`${PROJECT}/.stint/agents/other.md`, agentText('name: other\ntools: bash'))
    const found = find(machine, [], trust)
    expect(agentNamed(found, 'developer')).toMatchObject({ source: 'project', tools: ['read', 'bash'] })
    expect(leftOut(found)).toEqual(['tools.mcp:evil', 'tools.bash'])
    expect(maximaOf(agentNamed(found, 'developer'), { layer: 'user', limits: { turns: 2 } })).toContainEqual([
      'toolCalls',
      2,
      'terminate',
    ])
  })

  it('is not trusted in another folder, even if it is identical', () => {
    const machine = createAgentMachine()
    machine.write(`${PROJECT}/.stint/agents/developer.md`, agentText('name: developer\ntools: bash'))
    const trust = collectingTrust()
    find(machine, [], trust)
    const facts = trust.claims.map(factOf)
    const here = recordedTrust({
      read: (folder) => (folder === machine.workingFolder ? { folder, by: 'ann', trustedAtMs: 0, facts } : null),
      write: () => {},
      remove: () => false,
    })
    const copy = createAgentMachine()
    copy.write(`${PROJECT}/.stint/agents/developer.md`, agentText('name: developer\ntools: bash'))
    expect(agentNamed(find(machine, [], here), 'developer').source).toBe('project')
    expect(agentNamed(find(copy, [], here), 'developer').source).toBe('built-in')
  })
})
