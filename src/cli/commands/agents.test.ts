import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCli } from '../cli.fixture.ts'

const GOOD = '---\nname: triage\ndescription: Sorts issues.\nmodel: haiku\nmystery: 1 # kept\n---\nSort.\n'

describe('stint agents list', () => {
  it('shows the built-in agents when there are no others', async () => {
    const { exitCode, stdout } = await createCli().run('agents', 'list')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^NAME +FROM +MODEL +TOOLS +DESCRIPTION\n/)
    expect(stdout).toMatch(/^developer +built-in +default +read, write, edit, grep, glob, bash +Changes code/m)
  })

  it('shows where each agent comes from, what it hides, and that something is wrong', async () => {
    const cli = createCli()
    const file = cli.write('project/.stint/agents/dev.md', '---\nname: developer\n---\nMine.\n')
    cli.write('home/.stint/agents/bad.md', '---\nname: bad\nmax_turns: lots\n---\n')
    const { stdout, stderr } = await cli.run('agents', 'list', '--trust')
    expect(stdout).toMatch(/^developer +project +default +all/m)
    expect(stderr).toContain('1 problem: `stint agents validate` lists them.')
    const json = await cli.json('agents', 'list', '--trust')
    expect(json.agents).toContainEqual(expect.objectContaining({ name: 'developer', source: 'project', file }))
    expect(json).toMatchObject({ hidden: [{ name: 'developer', source: 'built-in' }], problems: [{ line: 3 }] })
  })
})

describe('stint agents get', () => {
  it('shows the fields, the limits with their places, and the prompt', async () => {
    const cli = createCli()
    const file = cli.write(
      'project/.stint/agents/dev.md',
      '---\nname: developer\nlimits: { turns: 7 }\n---\nMine.\u001b[2J\n',
    )
    const { stdout } = await cli.run('agents', 'get', 'developer', '--trust')
    expect(stdout).toContain('preset       developer')
    expect(stdout).toMatch(new RegExp(`turns +7 +terminate +project +limits.turns in ${file}:3 +25 \\(preset\\)`))
    expect(stdout).toMatch(/cost +\$1\.00 +terminate +preset/)
    expect(stdout).toContain('Mine.\\u001b[2J')
    expect(await cli.json('agents', 'get', 'developer', '--trust')).toMatchObject({
      name: 'developer',
      file,
      prompt: 'Mine.\u001b[2J',
      limits: expect.arrayContaining([expect.objectContaining({ meter: 'toolCalls', max: 7 })]),
    })
  })

  it('refuses an unreadable agent with file, line, field and value, and an unknown one', async () => {
    const cli = createCli()
    const file = cli.write('project/.pi/agents/slow.md', '---\nname: slow\nmaxTokens: 50k\n---\n')
    const { exitCode, stdout, stderr } = await cli.run('agents', 'get', 'slow')
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(`maxTokens in ${file}:3: "50k"`)
    expect(stderr).toContain('write 50000, or limits: { tokens: 50k }')
    expect((await cli.run('agents', 'get', 'develper')).stderr).toContain('Did you mean "developer"?')
  })
})

describe('G1: overrides in the config', () => {
  it("override the files, the project's over the user's, and false clears", async () => {
    const cli = createCli()
    cli.write('project/.stint/agents/triage.md', GOOD.replace('mystery', 'maxTokens: 500\ntools: read\nx-mystery'))
    cli.write('home/.config/stint/config.yaml', 'agents:\n  triage: { model: sonnet, thinking: high }\n')
    cli.write('project/stint.config.yaml', 'agents:\n  triage: { model: opus, tools: false, maxTokens: false }\n')
    const json = await cli.json('agents', 'get', 'triage', '--trust')
    expect(json).toMatchObject({ model: 'opus', thinking: 'high', tools: null })
    expect((json.limits as unknown as { meter: string }[]).map(({ meter }) => meter)).not.toContain('uncachedTokens')
  })

  it('name file and field when malformed', async () => {
    const cli = createCli()
    const file = cli.write(
      'project/stint.config.yaml',
      'agents:\n  developer:\n    tools: 5\n    maxTokens: 50k\n    modle: x\n',
    )
    const { exitCode, stderr } = await cli.run('agents', 'get', 'developer')
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`agents.developer.tools in ${file}:3: 5 is not a list of tools`)
    expect(stderr).toContain(`agents.developer.maxTokens in ${file}:4: "50k"`)
    expect(stderr).toContain(`agents.developer.modle in ${file}:5`)
    expect(stderr).toContain('Did you mean "model"?')
    expect(await cli.json('agents', 'validate')).toMatchObject({
      exitCode: 1,
      problems: expect.arrayContaining([expect.objectContaining({ file, line: 3, field: 'agents.developer.tools' })]),
    })
  })

  it('can disable an agent', async () => {
    const cli = createCli()
    cli.write('project/stint.config.yaml', 'agents: { qa: { disabled: true } }\n')
    const { stdout, stderr } = await cli.run('agents', 'list')
    expect(stdout).not.toMatch(/^qa /m)
    expect(stderr).toContain('qa is disabled by agents.qa.disabled in ')
    expect((await cli.run('agents', 'get', 'qa')).stderr).toContain('is disabled by')
  })
})

describe('stint agents create, update and delete', () => {
  it('shows a command that can be copied, even if the name has a space', async () => {
    const { stderr } = await createCli().run('agents', 'create', 'issue triage')
    expect(stderr).toContain('To see it: stint agents get "issue triage"')
  })

  it('create, change and delete a file of the project', async () => {
    const cli = createCli()
    const file = join(cli.projectFolder, '.stint/agents/triage.md')
    const prompt = cli.write('prompt.txt', 'Sort issues.\n')
    const flags = ['--set', 'model=haiku', '--set', 'limits.cost=0.5', '--set', 'description=Sorts: issues']
    const made = await cli.run('agents', 'create', 'triage', ...flags, '--prompt-file', prompt)
    expect(made).toEqual({
      exitCode: 0,
      stdout: `Created ${file}.\n`,
      stderr: expect.stringContaining('stint agents get'),
    })
    expect(readFileSync(file, 'utf8')).toBe(
      '---\nname: triage\nmodel: haiku\nlimits:\n  cost: 0.5\ndescription: "Sorts: issues"\n---\nSort issues.\n',
    )
    await cli.run(
      'agents',
      'update',
      'triage',
      '--set',
      'tools=[read, grep]',
      '--unset',
      'model',
      '--unset',
      'limits.cost',
    )
    expect(readFileSync(file, 'utf8')).toBe(
      '---\nname: triage\ndescription: "Sorts: issues"\ntools:\n  - read\n  - grep\n---\nSort issues.\n',
    )
    expect(await cli.json('agents', 'delete', 'triage')).toEqual({ exitCode: 0, name: 'triage', file, deleted: true })
    expect(existsSync(file)).toBe(false)
  })

  it('use the home folder with --user, and read the prompt from standard input', async () => {
    const cli = createCli({ input: 'From a pipe.' })
    const json = await cli.json('agents', 'create', 'triage', '--user', '--prompt-file', '-')
    const file = join(cli.folder, 'home/.stint/agents/triage.md')
    expect(json).toMatchObject({ file, agent: { name: 'triage', source: 'user' } })
    expect(readFileSync(file, 'utf8')).toContain('From a pipe.')
    expect(await cli.run('agents', 'delete', 'triage')).toMatchObject({ exitCode: 1 })
    expect(await cli.run('agents', 'delete', 'triage', '--user')).toMatchObject({ exitCode: 0 })
  })

  it('keep unknown fields', async () => {
    const cli = createCli()
    const file = cli.write('project/.stint/agents/triage.md', GOOD)
    await cli.run('agents', 'update', 'triage', '--set', 'model=opus')
    expect(readFileSync(file, 'utf8')).toBe(GOOD.replace('haiku', 'opus'))
  })

  it.each([
    [['create', '../x'], 2, 'The name of the agent is "../x"'],
    [['create', 'x'.repeat(300)], 2, 'at most 64'],
    [['create', 'x', '--set', 'maxTokens=50k'], 2, 'limits: { tokens: 50k }'],
    [['create', 'x', '--set', 'model'], 2, 'FIELD=VALUE'],
    [['create', 'x', '--set', 'a/b=1'], 2, 'the name of a field'],
    [['create', 'x', '--set', 'tools=[read'], 2, 'The value of --set'],
    [['create', 'x', '--set', '__proto__=1'], 2, '__proto__ cannot be the name of a field'],
    [['create', 'x', '--set', 'tools={a: !x 1}'], 2, 'has a tag'],
    [['create', 'x', '--prompt-file', 'gone.txt'], 2, '--prompt-file'],
    [['update', 'developer', '--set', 'model=x'], 1, 'is built in'],
    [['delete', 'developer'], 1, 'override it in the config'],
    [['delete', 'nobody'], 2, 'There is no agent "nobody"'],
  ])('%j is refused and writes nothing', async (args, exitCode, text) => {
    const cli = createCli()
    const answer = await cli.run('agents', ...args)
    expect(answer).toMatchObject({ exitCode, stdout: '' })
    expect(answer.stderr).toContain(text)
    expect(existsSync(join(cli.projectFolder, '.stint'))).toBe(false)
  })
})

describe('stint agents validate', () => {
  it('exits with 0 when there are no problems', async () => {
    const { exitCode, stdout } = await createCli().run('agents', 'validate')
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '13 agents, no problems.\n' })
  })

  it('lists every problem with file and line, and exits with 1', async () => {
    const cli = createCli()
    const one = cli.write('project/.stint/agents/one.md', '---js\nrequire("x")\n---\n')
    const two = cli.write('home/.claude/agents/two.md', '---\nname: two\nmaxTurns: lots\n---\n')
    const { exitCode, stdout } = await cli.run('agents', 'validate')
    expect(exitCode).toBe(1)
    expect(stdout).toContain(`${one}:1: "---js"`)
    expect(stdout).toContain(`maxTurns in ${two}:3: "lots"`)
    expect(stdout).toContain('2 problems.')
    expect(await cli.json('agents', 'validate')).toMatchObject({
      exitCode: 1,
      ok: false,
      problems: [
        { file: one, line: 1 },
        { file: two, line: 3, field: 'maxTurns', value: '"lots"' },
      ],
    })
  })
})
