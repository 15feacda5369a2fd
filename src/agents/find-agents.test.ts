import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveLimits } from '../policy/index.ts'
import { agentNamed } from './agent-named.ts'
import { agentText, createAgentMachine, HOME, overridesOf, PROJECT } from './agents.fixture.ts'

const called = (name: string, more = '') => agentText(`name: ${name}\n${more}`)

describe('where agents come from', () => {
  it("G1: a project's agent wins over the user's, and the user's over a built-in one", () => {
    const machine = createAgentMachine()
    const sourceOf = () => agentNamed(machine.find(), 'developer').source
    expect(sourceOf()).toBe('built-in')
    machine.write(`${HOME}/.agents/developer.md`, called('developer'))
    expect(sourceOf()).toBe('user')
    machine.write(`${PROJECT}/.agents/developer.md`, called('developer'))
    expect(sourceOf()).toBe('project')
    expect(machine.find().hidden.map(({ source }) => source)).toEqual(['user', 'built-in'])
  })

  it.each([
    ['project', PROJECT, ['.agents', '.pi/agents', '.claude/agents', '.stint/agents']],
    ['user', HOME, ['.agents', '.pi/agent/agents', '.claude/agents', '.stint/agents']],
  ])('within the %s .stint wins over .claude over .pi over .agents', (source, root, folders) => {
    const machine = createAgentMachine()
    for (const folder of folders) {
      const file = machine.write(`${root}/${folder}/deep/er/one.md`, called('one'))
      expect(machine.find().agents.get('one')).toMatchObject({ source, file })
    }
    const formats = machine.find().hidden.map(({ format }) => format)
    expect(formats).toEqual(['claude-code', 'pi', 'pi'])
  })

  it('reads each project folder from the nearest folder above that has it; the home folder is never a project', () => {
    const machine = createAgentMachine()
    const deep = join(machine.workingFolder, 'src', 'deep')
    mkdirSync(deep, { recursive: true })
    machine.write(`${PROJECT}/.stint/agents/one.md`, called('one'))
    machine.write(`${PROJECT}/src/.claude/agents/two.md`, called('two'))
    machine.write(`${HOME}/code/.stint/agents/far.md`, called('far'))
    machine.write(`${HOME}/.stint/agents/mine.md`, called('mine'))
    const { agents } = machine.find([], deep)
    expect([agents.get('one')?.source, agents.get('two')?.source]).toEqual(['project', 'project'])
    expect(agents.has('far')).toBe(false)
    expect(agents.get('mine')?.source).toBe('user')
    expect(machine.find([], machine.homeFolder).agents.get('mine')?.source).toBe('user')
  })

  it('skips everything that is not an agent: readmes, skills, chains, other files', () => {
    const machine = createAgentMachine()
    for (const path of [
      'README.md',
      'skills/x/SKILL.md',
      'skills/x/more.md',
      'a.chain.md',
      'a.txt',
      '.hidden/a.md',
      'AGENTS.md',
    ]) {
      machine.write(`${PROJECT}/.agents/${path}`, 'no front matter')
    }
    expect(machine.find()).toMatchObject({ problems: [], hidden: [] })
  })

  it('two agents with one name in one folder are a problem that names both, and neither runs', () => {
    const machine = createAgentMachine()
    const first = machine.write(`${PROJECT}/.stint/agents/a.md`, called('developer'))
    const second = machine.write(`${PROJECT}/.stint/agents/sub/b.md`, called('developer'))
    const found = machine.find()
    expect(found.problems).toMatchObject([{ file: second, message: expect.stringContaining(first) }])
    expect(() => agentNamed(found, 'developer')).toThrow(second)
  })

  it('a broken file never yields its name to an agent of lower precedence', () => {
    const machine = createAgentMachine()
    machine.write(`${PROJECT}/.stint/agents/developer.md`, called('developer', 'max_turns: lots'))
    machine.write(`${PROJECT}/.stint/agents/other.md`, '---\nname: qa\nbroken: [\n---\n')
    machine.write(`${PROJECT}/.stint/agents/planner.md`, 'no front matter')
    const found = machine.find()
    for (const name of ['developer', 'qa', 'planner']) {
      expect(() => agentNamed(found, name)).toThrow(expect.objectContaining({ code: 'invalid_agent' }))
    }
    expect(agentNamed(found, 'architect').source).toBe('built-in')
  })

  it("the user's broken file does not affect the project's agent of that name", () => {
    const machine = createAgentMachine()
    machine.write(`${PROJECT}/.stint/agents/one.md`, called('one'))
    machine.write(`${HOME}/.stint/agents/one.md`, called('one', 'max_turns: lots'))
    const found = machine.find()
    expect(agentNamed(found, 'one').source).toBe('project')
    expect(found.problems).toHaveLength(1)
  })

  it('an unknown name is refused with a suggestion', () => {
    const found = createAgentMachine().find()
    expect(() => agentNamed(found, 'develper')).toThrow('There is no agent "develper". Did you mean "developer"?')
    for (const name of ['__proto__', 'constructor', '../x', '']) {
      expect(() => agentNamed(found, name)).toThrow(expect.objectContaining({ code: 'unknown_agent' }))
    }
  })
})

describe('I7: links', () => {
  it('links that leave the agents folder, or dangle, are refused by name', () => {
    const machine = createAgentMachine()
    const outside = machine.write('outside/secret.md', called('secret'))
    machine.write(`${PROJECT}/.stint/agents/inside.md`, called('inside'))
    const at = (name: string) => join(machine.workingFolder, '.stint/agents', name)
    symlinkSync(outside, at('file.md'))
    symlinkSync(join(machine.folder, 'gone'), at('dead.md'))
    symlinkSync(join(machine.folder, 'outside'), at('folder.md'))
    symlinkSync(join(machine.folder, 'outside'), at('folder'))
    symlinkSync('loop.md', at('loop.md'))
    symlinkSync('inside.md', at('again.md'))
    const { problems, agents } = machine.find()
    const refused = problems.filter(({ message }) => message.includes('leads out')).map(({ file }) => file)
    expect(refused.sort()).toEqual([at('dead.md'), at('file.md'), at('folder.md'), at('loop.md')])
    expect(agents.has('secret')).toBe(false)
    // A link inside the folder is a second file of that name.
    expect(problems.some(({ message }) => message.includes('is also called "inside"'))).toBe(true)
  })

  it("a project's agents folder that links out of the project is refused; the user's own may link elsewhere", () => {
    const machine = createAgentMachine()
    machine.write('outside/agents/far.md', called('far'))
    mkdirSync(join(machine.workingFolder, '.claude'))
    symlinkSync(join(machine.folder, 'outside/agents'), join(machine.workingFolder, '.claude/agents'))
    expect(machine.find().agents.has('far')).toBe(false)
    expect(machine.find().problems[0]?.message).toContain('outside the project')
    mkdirSync(join(machine.homeFolder, '.claude'))
    symlinkSync(join(machine.folder, 'outside/agents'), join(machine.homeFolder, '.claude/agents'))
    expect(machine.find().agents.get('far')?.source).toBe('user')
  })
})

describe('overrides', () => {
  const limitsOf = (found: ReturnType<ReturnType<typeof createAgentMachine>['find']>, name: string) =>
    resolveLimits(agentNamed(found, name).limits.layers).max

  it("G1: override the file, the project's over the user's, and false clears", () => {
    const machine = createAgentMachine()
    machine.write(
      `${PROJECT}/.pi/agents/slow.md`,
      called('slow', 'model: opus\ntools: read\nthinking: high\nmaxTokens: 5000\nmaxExecutionTimeMs: 1000'),
    )
    const user = 'agents: { slow: { model: sonnet, thinking: false, maxExecutionTimeMs: 2000 } }'
    const project = 'agents: { slow: { model: haiku, tools: false, maxTokens: false, systemPrompt: Be brief. } }'
    const found = machine.find([overridesOf('user', user), overridesOf('project', project)])
    const slow = agentNamed(found, 'slow')
    expect(slow).toMatchObject({ model: 'haiku', tools: null, thinking: null, prompt: 'Be brief.' })
    expect(limitsOf(found, 'slow')).toMatchObject({ uncachedTokens: null, time: 2000 })
  })

  it("G1: of a built-in agent accept pi's field names and ours", () => {
    const yaml = 'agents: { developer: { maxTokens: 5000, limits: { toolCalls: 3 }, preset: false } }'
    const found = createAgentMachine().find([overridesOf('project', yaml)])
    expect(agentNamed(found, 'developer').preset).toBeNull()
    expect(limitsOf(found, 'developer')).toMatchObject({ uncachedTokens: 5000, toolCalls: 3 })
    const [layer] = agentNamed(found, 'developer').limits.layers.slice(-1)
    expect(layer?.entries[0]?.source).toMatchObject({ file: 'project.yaml', line: 1 })
  })

  it.each([
    ['model: 5', 'agents.developer.model'],
    ['maxTokens: 50k', 'agents.developer.maxTokens'],
    ['modle: x', 'agents.developer.modle'],
    ['name: x', 'agents.developer.name'],
    ['disabled: yes please', 'agents.developer.disabled'],
    ['systemPrompt: 5', 'agents.developer.systemPrompt'],
    ['limits: { csot: 1 }', 'agents.developer.limits.csot'],
  ])('G1: %s is refused with file and field, and so is the agent', (line, field) => {
    const found = createAgentMachine().find([overridesOf('project', `agents:\n  developer:\n    ${line}\n`)])
    expect(found.problems).toMatchObject([{ file: 'project.yaml', line: 3, field }])
    expect(() => agentNamed(found, 'developer')).toThrow(`${field} in project.yaml:3`)
  })

  it('disable an agent, and say where', () => {
    const machine = createAgentMachine()
    const off = overridesOf('user', 'agents: { qa: { disabled: true } }')
    const found = machine.find([off])
    expect(found.problems).toEqual([])
    expect(() => agentNamed(found, 'qa')).toThrow('is disabled by agents.qa.disabled in user.yaml:1')
    const on = overridesOf('project', 'agents: { qa: { disabled: false } }')
    expect(agentNamed(machine.find([off, on]), 'qa').name).toBe('qa')
  })

  it('of an unknown agent are a problem, unless the user means an agent of another project', () => {
    const machine = createAgentMachine()
    const at = (layer: 'user' | 'project', name: string) =>
      machine.find([overridesOf(layer, `agents: { ${name}: { maxTokens: 5 } }`)]).problems.map(({ message }) => message)
    expect(at('project', 'elsewhere')[0]).toContain('There is no agent called "elsewhere"')
    expect(at('user', 'elsewhere')).toEqual([])
    expect(at('user', 'develper')[0]).toContain('Did you mean "developer"?')
  })

  it("of a user override a project's file too, and rank below what the project says for all runs elsewhere", () => {
    const machine = createAgentMachine()
    machine.write(`${PROJECT}/.stint/agents/one.md`, called('one', 'limits: { toolCalls: 5 }'))
    const yaml = 'agents: { one: { limits: { toolCalls: 7 } }, qa: { limits: { toolCalls: 7 } } }'
    const found = machine.find([overridesOf('user', yaml)])
    expect(limitsOf(found, 'one').toolCalls).toBe(7)
    const ofRuns = { layer: 'project', limits: { toolCalls: 9 } } as const
    expect(resolveLimits([...agentNamed(found, 'qa').limits.layers, ofRuns]).max.toolCalls).toBe(9)
  })
})

describe('the built-in agents', () => {
  it('exist for every role, and only have the tools they should', () => {
    const { agents, problems } = createAgentMachine().find()
    expect(problems).toEqual([])
    expect([...agents.keys()].sort()).toEqual(
      ['developer', 'qa', 'planner', 'architect', 'researcher', 'security-architect', 'code-reviewer', 'devops']
        .concat(['explore', 'verify', 'reviewer', 'worker', 'supervisor'])
        .sort(),
    )
    for (const agent of agents.values()) {
      expect(agent).toMatchObject({ source: 'built-in', file: null, unknownFields: {} })
      expect(agent.description.length).toBeGreaterThan(20)
      expect(agent.prompt.length).toBeGreaterThan(100)
    }
    for (const name of ['explore', 'reviewer', 'researcher', 'planner']) {
      expect(agents.get(name)?.tools).toEqual(['read', 'grep', 'glob'])
    }
    for (const name of ['verify', 'qa']) expect(agents.get(name)?.tools).toEqual(['read', 'grep', 'glob', 'bash'])
    expect(agents.get('explore')?.preset).toBe('explore')
    expect(agents.get('worker')?.preset).toBeNull()
  })
})
