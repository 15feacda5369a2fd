import { describe, expect, it } from 'vitest'
import { createCli } from '../cli.fixture.ts'

async function createAsking() {
  const cli = createCli()
  await cli.open({ id: 'team:core', kind: 'lasting', owner: null }, { cost: 10 })
  await cli.open({ id: 'run-1', name: 'triage' }, { toolCalls: { max: 5, action: 'ask' } }, 'team:core')
  await cli.askForMore('run-1', 'two files are left')
  return cli
}

describe('the answer to a typo', () => {
  it.each([
    ['approve ask-1 --amount abc', '--amount is "abc", but must be an amount of toolCalls, e.g. 10.'],
    ['budget set team:new', 'There are no limits for "team:new". Write e.g. stint budget set team:new --limit cost='],
    ['budget set', 'The config has no budgets. Write e.g. stint budget set team:core --limit cost=100/day'],
    ['exec --limit turns -- true', 'The value of turns is missing. Write KEY=VALUE[/PERIOD][:ACTION], e.g. turns=…'],
    ['exec --timeout 5 -- true', '--timeout is "5", but must be a length of time with its unit, e.g. 90s or 10m.'],
    ['exec --limit cost=1 --', 'The command to run is missing. Write it after --, e.g. stint exec'],
    ['stop team:core', '"team:core" is a budget and cannot be ended. To admit no more calls: stint pause team:core'],
    ['status --jsn', "stint: unknown option '--jsn'"],
    ['run', 'stint: AGENT is missing.\nUsage: stint run [options] <AGENT> <TASK>\n`stint run --help` explains it.'],
    ['raise run-1', 'stint: --limit <LIMIT> is missing.\nUsage: stint raise [options] <ID>'],
    ['pause run-1 --reason', 'stint: --reason needs a value: --reason <TEXT>\nUsage: stint pause'],
    ['agents ad', 'Usage: stint agents [options] [command]\n`stint agents --help` explains the commands.'],
    ['exec --limit cost=1 claude -p x', "unknown option '-p'\nUsage: stint exec [options] -- COMMAND [ARGUMENT…]"],
    ['keys create', 'stint: SCOPE is missing, but must be given: the scope that pays'],
    ['budget set --limit cost=1', 'stint: KEY is missing, but must be given together with limits'],
    ['plan nosuch', 'There is no chain "nosuch". Put one into .stint/chains'],
    ['plan explore', 'There is no chain "explore".'],
    ['parallel explore:a --share tokens', 'the flag --share tokens: The value of tokens is missing.'],
    ['parallel explore:a --ask-above turns=8', 'Only a number of agents and a cost can be asked about.'],
    ['assumed declare-dead nosuch --reason x', 'The holder is "nosuch", but must be a holder that'],
    ['trust no-such-folder', 'FOLDER is "no-such-folder", but must be a folder that exists.'],
    ['exec --limit time=5 -- true', '"5" has no unit. Write time=5s or time=5m.'],
    ['exec --limit time=5000 -- true', '"5000" has no unit. Write time=5000s or time=5000ms.'],
  ])('stint %s', async (line, message) => {
    const cli = await createAsking()
    const { exitCode, stderr } = await cli.run(...line.split(' '))
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
    expect(stderr).not.toContain('undefined')
  })

  it('of a run that ended at its limit says how to start one that can continue', async () => {
    const cli = await createAsking()
    await cli.store.close({ scopeId: 'run-1', status: 'limit-reached', atMs: 0 })
    expect((await cli.run('resume', 'run-1')).stderr).toContain('start it with --on-limit pause')
  })
})

describe('a limit written as turns', () => {
  async function createTurns() {
    const cli = createCli()
    await cli.open({ id: 'run-1', name: 'triage' }, { turns: { max: 5, action: 'ask' } })
    await cli.askForMore('run-1', 'two files are left')
    return cli
  }

  it.each([
    ['approve ask-1 --amount 2', 'Approved: the turns limit of triage is raised by 2.'],
    ['approve ask-1 --amount abc', '--amount is "abc", but must be an amount of turns, e.g. 10.'],
    ['deny ask-1', 'Denied: the turns limit of triage is unchanged.'],
    ['show run-1', '10 more of its turns limit'],
    ['requests', 'turns'],
    ['explain run-1', '\nturns '],
  ])('is shown as turns: stint %s', async (line, message) => {
    const cli = await createTurns()
    const { stdout, stderr } = await cli.run(...line.split(' '))
    expect(stdout + stderr).toContain(message)
    expect(stdout + stderr).not.toContain('toolCalls')
  })
})

describe('the output', () => {
  it('does not repeat the refusal as the reason of a request', async () => {
    const cli = createCli()
    await cli.open({ id: 'run-1', name: 'triage' }, { turns: { max: 5, action: 'ask' } })
    await cli.askForMore('run-1', 'The turns limit of "triage" is used up: 5 of 5 used, 1 more requested.')
    expect((await cli.run('requests')).stdout).toMatch(/^ask-1 +triage +turns .* –$/m)
  })

  it('mentions the limits of roles when the config has no limits', async () => {
    const { stdout } = await createCli().run('explain')
    expect(stdout).toContain(
      'No limits.\n\nstint run adds the limits of the agent and its role: stint agents get AGENT\n',
    )
  })

  it('shows a process as its pid and machine', async () => {
    const cli = createCli()
    const holder = 'vm/4026531836/e9c4fff5-9d1c-4666-948b-b04b65bc7727/5527/17526/4ed029d6b0db'
    await cli.open({ id: 'run-1', owner: holder })
    const call = { reservationId: 'call-1', scopeId: 'run-1', amounts: { cost: 5 }, holder, atMs: 0 }
    await cli.store.reserve(call)
    await cli.store.assume({ holder, atMs: 1 })
    expect((await cli.run('assumed', 'list')).stdout).toMatch(/^call-1 .* pid 5527 on vm$/m)
  })
})

describe('the help of every command', () => {
  const COMMANDS = [
    '',
    'run',
    'exec',
    'status',
    'resume',
    'budget set',
    'agents create',
    'keys create',
    'serve',
    'watch',
  ]

  it.each(COMMANDS)('fits a terminal of 80 columns: stint %s --help', async (command) => {
    const { stdout } = await createCli({ isTerminal: true }).run(...command.split(' ').filter(Boolean), '--help')
    // An example must be copyable, so it is not wrapped.
    const wide = stdout.split('\n').filter((line) => line.length > 80 && !line.startsWith('  $ '))
    expect(stdout).toContain('Usage: stint')
    expect(wide).toEqual([])
  })
})

describe('a model without a price', () => {
  const local = { OPENAI_API_KEY: 'made-up' }
  const config = 'providers: { local: { baseUrl: "http://127.0.0.1:9/v1" } }\n'

  it('is refused under a cost limit that a person wrote before a task starts, with the setting to add', async () => {
    const cli = createCli({ env: local })
    cli.write('home/.config/stint/config.yaml', config)
    const flags = ['--model', 'local/llama', '--limit', 'cost=1']
    const { exitCode, stderr } = await cli.run('run', 'explore', 'look', ...flags)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('The model "llama" has no price')
    expect(stderr).toContain('prices: { "llama":')
    expect(stderr).not.toContain('runs with')
    expect(await cli.json('tasks')).toMatchObject({ tasks: [] })
  })
})
