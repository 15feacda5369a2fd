import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentText, createAgentMachine, HOME, PROJECT } from '../agents.fixture.ts'
import { createAgent, deleteAgent, type ManagedPlaces, updateAgent } from './manage-agents.ts'
import { replaceFile } from './write-agent-file.ts'

function createManaged(source: 'project' | 'user' = 'project') {
  const machine = createAgentMachine()
  const { workingFolder, homeFolder } = machine
  const places: ManagedPlaces = { workingFolder, homeFolder, source }
  return { ...machine, places }
}

const set = (field: string, value: unknown) => ({ path: field.split('.'), value })
const changing = (...fields: readonly ReturnType<typeof set>[]) => ({ fields })
const code = (expected: string) => expect.objectContaining({ code: expected })

describe('creating an agent', () => {
  it('writes a file that reads back as intended, in the project or for the user', () => {
    for (const source of ['project', 'user'] as const) {
      const { places, find, workingFolder, homeFolder } = createManaged(source)
      const changes = { ...changing(set('model', 'haiku'), set('limits.cost', 0.5)), prompt: 'Sort issues.\n' }
      const { file } = createAgent(places, 'triage', changes)
      expect(file).toBe(join(source === 'user' ? homeFolder : workingFolder, '.stint/agents/triage.md'))
      expect(readFileSync(file, 'utf8')).toBe(
        '---\nname: triage\nmodel: haiku\nlimits:\n  cost: 0.5\n---\nSort issues.\n',
      )
      expect(find().agents.get('triage')).toMatchObject({ source, model: 'haiku', prompt: 'Sort issues.' })
    }
  })

  it('starts from the built-in agent of that name', () => {
    const { places, find } = createManaged()
    const builtIn = find().agents.get('developer')
    createAgent(places, 'developer', changing(set('model', 'haiku')))
    expect(find().agents.get('developer')).toMatchObject({ source: 'project', prompt: builtIn?.prompt, model: 'haiku' })
  })

  it('overwrites neither the file nor another file that defines the name', () => {
    const { places, write } = createManaged()
    const file = write(`${PROJECT}/.stint/agents/sub/other.md`, agentText('name: triage'))
    expect(() => createAgent(places, 'triage', changing())).toThrow(file)
    const broken = write(`${PROJECT}/.stint/agents/broken.md`, '---\nname: else\n---\n')
    expect(() => createAgent(places, 'broken', changing())).toThrow(code('agent_exists'))
    expect(readFileSync(broken, 'utf8')).toBe('---\nname: else\n---\n')
  })

  it('writes nothing that it could not read again', () => {
    const { places, workingFolder } = createManaged()
    for (const wrong of [set('maxTokens', '50k'), set('tools', 5), set('name', 'other'), set('__proto__', 1)]) {
      expect(() => createAgent(places, 'triage', changing(wrong))).toThrow(code('invalid_agent'))
    }
    const huge = { fields: [], prompt: 'x'.repeat(300_000) }
    expect(() => createAgent(places, 'triage', huge)).toThrow(code('invalid_agent'))
    expect(existsSync(join(workingFolder, '.stint'))).toBe(false)
  })

  it.each(['..', '../x', 'a/b', 'a\\b', 'x\0', '', '.x', 'x'.repeat(300), '/etc/x'])(
    'I7: refuses the name %j',
    (name) => {
      const { places, workingFolder } = createManaged()
      for (const act of [createAgent, updateAgent]) {
        expect(() => act(places, name, changing())).toThrow(code('invalid_option'))
      }
      expect(() => deleteAgent(places, name)).toThrow(code('invalid_option'))
      expect(existsSync(join(workingFolder, '.stint'))).toBe(false)
    },
  )

  it('I7: never follows a link out of the project', () => {
    const { places, folder, workingFolder } = createManaged()
    mkdirSync(join(folder, 'outside'))
    symlinkSync(join(folder, 'outside'), join(workingFolder, '.stint'))
    expect(() => createAgent(places, 'triage', changing())).toThrow(code('agent_not_editable'))
    expect(readdirSync(join(folder, 'outside'))).toEqual([])
  })

  it('I7: does not write through a link at the target path', () => {
    const { places, folder, workingFolder, write } = createManaged()
    write(`${PROJECT}/.stint/agents/other.md`, agentText('name: other'))
    const target = write('outside.md', 'mine')
    symlinkSync(target, join(workingFolder, '.stint/agents/triage.md'))
    expect(() => createAgent(places, 'triage', changing())).toThrow(code('agent_exists'))
    expect(readFileSync(join(folder, 'outside.md'), 'utf8')).toBe('mine')
  })
})

describe('updating an agent', () => {
  const text =
    '\uFEFF---\r\n# mine\r\nname: triage # it\r\nmystery: { b: 1,  a: 2 }\r\nmodel: opus\r\n---\r\n\r\nOld.\r\n'

  it('changes only the requested bytes', () => {
    const { places, write } = createManaged()
    const file = write(`${PROJECT}/.stint/agents/sub/t.md`, text)
    chmodSync(file, 0o600)
    updateAgent(places, 'triage', changing(set('model', 'haiku')))
    expect(readFileSync(file, 'utf8')).toBe(text.replace('opus', 'haiku'))
    updateAgent(places, 'triage', { ...changing(set('model', undefined)), prompt: 'New.\nTwo.' })
    expect(readFileSync(file, 'utf8')).toBe(text.replace('model: opus\r\n', '').replace('Old.', 'New.\r\nTwo.'))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(file, '..'))).toEqual(['t.md'])
  })

  it('repairs an invalid file, and leaves it alone if the result would still be invalid', () => {
    const { places, write, find } = createManaged()
    const file = write(`${PROJECT}/.stint/agents/slow.md`, agentText('max_turns: lots'))
    expect(() => updateAgent(places, 'slow', changing(set('model', 'haiku')))).toThrow('"lots"')
    expect(readFileSync(file, 'utf8')).toBe(agentText('max_turns: lots'))
    updateAgent(places, 'slow', changing(set('max_turns', 5)))
    expect(find().problems).toEqual([])
  })

  it('never overwrites a concurrent change', () => {
    const { write } = createManaged()
    const file = write('x.md', 'theirs')
    expect(() => replaceFile(file, 'as it was read', 'ours', 'x')).toThrow(code('agent_changed'))
    expect(readFileSync(file, 'utf8')).toBe('theirs')
    expect(readdirSync(join(file, '..')).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('says why there is no file that it could change', () => {
    const { places, write } = createManaged()
    const claude = write(`${PROJECT}/.claude/agents/theirs.md`, agentText('name: theirs'))
    write(`${HOME}/.stint/agents/mine.md`, agentText('name: mine'))
    const update = (name: string) => () => updateAgent(places, name, changing(set('model', 'haiku')))
    expect(update('developer')).toThrow('is built in. To change it here, override it in the config')
    expect(update('theirs')).toThrow(`is in ${claude}, which belongs to another program`)
    expect(update('mine')).toThrow('Run the command with --user')
    expect(update('devloper')).toThrow('Did you mean "developer"?')
    expect(readFileSync(claude, 'utf8')).toBe(agentText('name: theirs'))
  })

  it('refuses when two files define the name', () => {
    const { places, write } = createManaged()
    write(`${PROJECT}/.stint/agents/a.md`, agentText('name: twin'))
    write(`${PROJECT}/.stint/agents/b.md`, agentText('name: twin'))
    expect(() => updateAgent(places, 'twin', changing())).toThrow(code('agent_not_editable'))
    expect(() => deleteAgent(places, 'twin')).toThrow(code('agent_not_editable'))
  })

  it('refuses a nested change inside a value that is not an object', () => {
    const { places, write } = createManaged()
    const file = write(`${PROJECT}/.stint/agents/a.md`, agentText('tools: [read]'))
    expect(() => updateAgent(places, 'a', changing(set('tools.x', 1)))).toThrow(code('agent_not_editable'))
    expect(readFileSync(file, 'utf8')).toBe(agentText('tools: [read]'))
  })
})

describe('deleting an agent', () => {
  it('deletes only its file; a built-in agent of that name is visible again', () => {
    const { places, write, find } = createManaged()
    const file = write(`${PROJECT}/.stint/agents/developer.md`, agentText('name: developer'))
    const other = write(`${HOME}/.stint/agents/developer.md`, agentText('name: developer'))
    expect(deleteAgent(places, 'developer')).toEqual({ file })
    expect([existsSync(file), existsSync(other)]).toEqual([false, true])
    expect(() => deleteAgent(places, 'developer')).toThrow('Run the command with --user')
    deleteAgent({ ...places, source: 'user' }, 'developer')
    expect(() => deleteAgent(places, 'developer')).toThrow('is built in')
    expect(find().agents.get('developer')?.source).toBe('built-in')
  })

  it('I7: deletes nothing through a link that leaves the folder', () => {
    const { places, folder, workingFolder, write } = createManaged()
    write(`${PROJECT}/.stint/agents/other.md`, agentText('name: other'))
    const target = join(folder, 'outside.md')
    writeFileSync(target, agentText('name: out'))
    symlinkSync(target, join(workingFolder, '.stint/agents/out.md'))
    expect(() => deleteAgent(places, 'out')).toThrow(code('unknown_agent'))
    expect(existsSync(target)).toBe(true)
  })
})
