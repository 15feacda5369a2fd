import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCli, NOW_MS, type TestCliOptions } from '../cli.fixture.ts'

const AGENT = '---\nname: plain\ndescription: does as it is told\ntools: read\n---\nDo as you are told.\n'

function createAgentCli(options: TestCliOptions = {}) {
  const cli = createCli(options)
  cli.write('project/deep/.stint/agents/plain.md', AGENT)
  cli.write('project/deep/play.json', JSON.stringify([{ text: 'All is well.' }]))
  return cli
}

const PLAY = ['--model', 'scripted/play.json']

describe('stint run', () => {
  it.each([
    [['plian', 'go'], 'Did you mean "plain"?'],
    [['plain', 'go', '--limit', 'mesage=24'], 'Did you mean "message"?'],
    [['plain', 'go', '--limit', 'turns=0.5'], '--limit turns=0.5'],
    [['plain', 'go', '--timeout', '0s'], '--timeout'],
    [['plain', 'go', '--timeout', '150'], '--timeout'],
    [['plain', 'go', '--timeout', '1m', '--limit', 'wallTime=2m'], 'wallTime'],
    [['plain', 'go', '--preset', 'developr'], 'Did you mean "developer"?'],
    [['plain', 'go', '--model', 'anthropc/claude-sonnet-4-5'], 'anthropic'],
    [['plain', 'go', '--model', 'anthropic/claude-sonnet-4-5'], 'ANTHROPIC_API_KEY'],
    [['plain', 'go', '--model', 'scripted/gone.json'], 'gone.json'],
    [['plain', 'go', '--tools', 'raed', ...PLAY], 'read'],
    [['plain', 'go', '--tools', 'read,', ...PLAY], '--tools'],
    [['plain', ' '], 'TASK'],
    [['plain', '-'], 'this one is empty'],
    [['plain', '@gone.md'], 'it does not exist'],
    [['plain', '@.'], 'it is a folder'],
    [['plain'], 'TASK'],
    [['plain', 'go', '--moddel', 'x'], 'Did you mean --model?'],
    [['plain', 'go', '--id', '../x', ...PLAY], '../x'],
    [['plain', 'go', '--name', 'a/b', ...PLAY], 'a/b'],
    [['plain', 'go', '--background', '--store', 'memory:', ...PLAY], '--store sqlite:PATH'],
  ])('%j is bad usage: exits with 2 and what to do, and starts nothing', async (args, text) => {
    const cli = createAgentCli()
    const { exitCode, stdout, stderr } = await cli.run('run', ...args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(text)
    expect(await cli.store.list({ standing: 'all', atMs: NOW_MS })).toEqual([])
    expect(cli.detached).toEqual([])
  })

  it('reports a mistake to a program in one line of JSON', async () => {
    const { exitCode, stdout, stderr } = await createAgentCli().run('run', 'plian', 'go', '--json')
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unknown_agent', retryable: false } })
  })

  it.each([
    [true, 'a\tb \\u001b[2J\\u0007\nend\n'],
    [false, 'a\tb \u001b[2J\u0007\nend\n'],
  ])('prints an answer to a terminal (%s) without its control sequences', async (isTerminal, stdout) => {
    const cli = createAgentCli({ isTerminal })
    cli.write('project/deep/evil.json', JSON.stringify([{ text: 'a\tb \u001b[2J\u0007\nend' }]))
    expect(await cli.run('run', 'plain', 'go', '--model', 'scripted/evil.json')).toMatchObject({ stdout })
  })

  it('prints the answer, and with --json one document', async () => {
    const cli = createAgentCli({ input: 'from a pipe' })
    expect(await cli.run('run', 'plain', '-', ...PLAY, '--id', 'task-1')).toMatchObject({
      exitCode: 0,
      stdout: 'All is well.\n',
    })
    expect(await cli.json('run', 'plain', 'go', ...PLAY, '--id', 'task-2')).toMatchObject({
      id: 'task-2',
      status: 'completed',
      exitCode: 0,
      output: 'All is well.',
    })
    expect(await cli.json('tasks')).toMatchObject({ tasks: [{ id: 'task-2' }, { id: 'task-1', task: 'from a pipe' }] })
  })

  it('reads its task from a file, and spends from an existing budget', async () => {
    const cli = createAgentCli()
    cli.write('project/deep/task.md', 'from a file')
    await cli.run('budget', 'set', 'team:core', '--limit', 'cost=1/day')
    const run = ['run', 'plain', '@task.md', ...PLAY, '--id', 'task-1', '--within']
    expect(await cli.run(...run, 'team:croe')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('team:core'),
    })
    expect(await cli.json(...run, 'team:core')).toMatchObject({ exitCode: 0, path: 'team:core/plain' })
    expect(await cli.json('show', 'task-1')).toMatchObject({ task: { task: 'from a file' } })
  })

  it('applies the limits of a preset, which flags override', async () => {
    const cli = createAgentCli()
    const { usage } = (await cli.json(
      ...['run', 'plain', 'go', ...PLAY, '--preset', 'qa', '--limit', 'turns=3'],
    )) as unknown as {
      usage: Record<string, { limit: number | null }>
    }
    expect([usage.toolCalls?.limit, usage.time?.limit, usage.cost?.limit]).toEqual([3, 120_000, 500_000_000])
  })

  it('reports at the start, once, that a ceiling cuts a limit', async () => {
    const cli = createAgentCli()
    cli.write('home/.config/stint/config.yaml', 'ceilings: { cost: 5, turns: 3 }\n')
    const turns = [{ toolCalls: [{ name: 'read', arguments: { path: 'play.json' } }] }, { text: 'Read.' }]
    cli.write('project/deep/work.json', JSON.stringify(turns))
    const limits = ['--limit', 'cost=50', '--limit', 'turns=2']
    const { stderr } = await cli.run('run', 'plain', 'go', '--model', 'scripted/work.json', ...limits)
    const lines = stderr.split('\n')
    expect(lines[0]).toContain('stint: plain runs with')
    expect(lines[1]).toMatch(
      /^stint: the flag --limit cost=50 asks for \$50\.00; the ceiling allows \$5\.00 \(ceilings\./,
    )
    expect(lines[2]).toBe('  read play.json')
    expect(lines.filter((line) => line.includes('the ceiling allows'))).toHaveLength(1)
  })

  it('refuses a file for --read that does not exist, before a task starts', async () => {
    const cli = createAgentCli()
    const { exitCode, stderr } = await cli.run('run', 'plain', 'go', ...PLAY, '--read', 'nofile')
    expect(exitCode).toBe(2)
    expect(stderr).toBe('stint: --read is "nofile", but must be a file that exists in the working folder.\n')
    expect(await cli.json('tasks')).toMatchObject({ tasks: [] })
  })
})

describe('stint run --background', () => {
  it('reports a ceiling to its user, and prints how to follow the run on separate lines', async () => {
    const cli = createAgentCli()
    cli.write('home/.config/stint/config.yaml', 'ceilings: { cost: 5 }\n')
    const answer = cli.run('run', 'plain', 'go', ...PLAY, '--limit', 'cost=50', '--id', 'task-1', '--background')
    await expect.poll(() => cli.detached.length).toBe(1)
    await cli.open({ id: 'task-1', name: 'plain' })
    const { stderr } = await answer
    expect(stderr).toMatch(
      /^stint: plain runs in the background\.\n {2}Follow it: stint watch task-1\n {2}End it: stint interrupt task-1\n {2}Its log: /,
    )
    expect(stderr).toContain('stint: the flag --limit cost=50 asks for $50.00; the ceiling allows $5.00 (')
  })

  it('starts itself again with the same flags and its task on standard input, and prints the id', async () => {
    const cli = createAgentCli()
    const answer = cli.run('run', 'plain', 'go on', ...PLAY, '--limit', 'turns=3', '--no-wrap-up', '--background')
    await expect.poll(() => cli.detached.length).toBe(1)
    const { args, input, logFile } = cli.detached[0]!
    const id = args.find((arg) => arg.startsWith('--id='))!.slice('--id='.length)
    expect(args).toEqual([
      'run',
      '--limit=turns=3',
      '--model=scripted/play.json',
      '--no-wrap-up',
      `--id=${id}`,
      '--',
      'plain',
      '-',
    ])
    expect(input).toBe('go on')
    expect(logFile).toContain(`tasks/${id}/run.log`)
    await cli.open({ id, name: 'plain' })
    expect(await answer).toMatchObject({
      exitCode: 0,
      stdout: `${id}\n`,
      stderr: expect.stringContaining('stint watch'),
    })
  })

  it('does not count as started when another process has the task', async () => {
    const cli = createAgentCli({
      async detachedEnds({ logFile }) {
        await cli.open({ id: 'task-1', name: 'plain', owner: 'host/ns/boot/4712/1/nonce' })
        cli.write(logFile.slice(cli.folder.length + 1), 'stint: The id is taken.\n')
        return 2
      },
    })
    expect(await cli.run('run', 'plain', 'go', ...PLAY, '--background', '--id', 'task-1')).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: 'stint: The id is taken.\n',
    })
  })

  it('says why when it ends before it started', async () => {
    const cli = createAgentCli({
      async detachedEnds({ logFile }) {
        cli.write(logFile.slice(cli.folder.length + 1), 'stint: No key.\n')
        return 2
      },
    })
    expect(await cli.run('run', 'plain', 'go', ...PLAY, '--background')).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: 'stint: No key.\n',
    })
    expect(existsSync(dirname(cli.detached[0]!.logFile))).toBe(false)
  })
})

describe('stint resume of an agent', () => {
  const read = { toolCalls: [{ name: 'read', arguments: { path: 'play.json' } }] }
  const paused = async () => {
    const cli = createAgentCli()
    // Like a ledger in a file: paused runs outlive the command.
    Object.assign(cli.store, { isShared: true })
    cli.write('project/stint.config.yaml', 'ceilings: { toolCalls: 3 }\n')
    cli.write('project/deep/work.json', JSON.stringify([read, read, read, { text: 'All read.' }]))
    const limits = ['--limit', 'turns=1:pause', '--id', 'task-1']
    const { exitCode } = await cli.run('run', 'plain', 'go', '--model', 'scripted/work.json', ...limits)
    expect(exitCode).toBe(75)
    return cli
  }

  it('raises a limit, never above a ceiling, and says so', async () => {
    const cli = await paused()
    const { exitCode, stdout, stderr } = await cli.run('resume', 'task-1', '--add', 'turns=10')
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'All read.\n' })
    expect(stderr).toContain('turns: 11 was requested, but a ceiling allows 3.')
    const [scope] = (await cli.store.read({ scopeId: 'task-1', atMs: NOW_MS }))!
    expect(scope!.limits.find(({ limit }) => limit.meter === 'toolCalls')).toMatchObject({ limit: { max: 3 } })
  })

  it('refuses to raise what is not limited, before anything is claimed', async () => {
    const cli = await paused()
    expect(await cli.run('resume', 'task-1', '--add', 'tokens=10k')).toMatchObject({ exitCode: 2 })
    expect((await cli.store.read({ scopeId: 'task-1', atMs: NOW_MS }))![0]).toMatchObject({ status: 'paused' })
  })

  it('continues in the background with --background and the raised limit', async () => {
    const cli = await paused()
    const answer = cli.run('resume', 'task-1', '--add', 'turns=1', '--background')
    await expect.poll(() => cli.detached.length).toBe(1)
    expect(cli.detached[0]).toMatchObject({
      args: ['resume', '--foreground', '--add=turns=1', '--', 'task-1'],
      input: '',
    })
    await cli.store.resume({ scopeId: 'task-1', owner: 'holder-9', atMs: NOW_MS })
    expect(await answer).toMatchObject({ exitCode: 0, stdout: 'task-1\n' })
  })

  it('continues again and again, each time from where it was', async () => {
    const cli = await paused()
    const { exitCode, stderr } = await cli.run('resume', 'task-1')
    expect(exitCode).toBe(75)
    expect(stderr).toContain('To continue: stint resume task-1 --add turns=…')
    // Once, not in two ways.
    expect(stderr).toContain('turns paused it and was not raised: it will pause again at the next call.')
    expect(stderr).not.toContain('It was paused by its limit')
    expect(await cli.json('resume', 'task-1', '--add', 'turns=1')).toMatchObject({ status: 'completed', exitCode: 0 })
    expect(await cli.run('resume', 'task-1')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('has ended'),
    })
  })
})

describe('stint resume --add', () => {
  it("raises a limit of another program's scope before it continues, never above a ceiling", async () => {
    const cli = createCli()
    cli.write('project/stint.config.yaml', 'ceilings: { toolCalls: 12 }\n')
    await cli.open({ id: 'run-1' }, { toolCalls: 5, cost: 1 })
    await cli.run('pause', 'run-1')
    expect(await cli.run('resume', 'run-1', '--add', 'turns=5', '--add', 'cost=0.5')).toMatchObject({ exitCode: 0 })
    const limits = async () =>
      (await cli.store.read({ scopeId: 'run-1', atMs: NOW_MS }))![0]!.limits.map(({ limit }) => limit.max)
    expect(await limits()).toEqual([10, 1_500_000_000])
    await cli.run('pause', 'run-1')
    const { stderr } = await cli.run('resume', 'run-1', '--add', 'turns=5')
    expect(stderr).toContain('a ceiling allows 12')
    expect(await limits()).toEqual([12, 1_500_000_000])
  })

  it('refuses to raise what is not limited, and invalid amounts, and leaves it paused', async () => {
    const cli = createCli()
    await cli.open({ id: 'run-1' }, { toolCalls: 5 })
    await cli.run('pause', 'run-1')
    for (const add of ['cost=1', 'turns=unlimited', 'turns=lots', 'trns=1']) {
      expect(await cli.run('resume', 'run-1', '--add', add)).toMatchObject({ exitCode: 2 })
    }
    expect((await cli.store.read({ scopeId: 'run-1', atMs: NOW_MS }))![0]).toMatchObject({ status: 'paused' })
    expect(await cli.run('resume', 'run-1', '--background')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--background'),
    })
  })
})
