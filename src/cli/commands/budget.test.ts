import { describe, expect, it } from 'vitest'
import { createCli, NOW_MS } from '../cli.fixture.ts'

describe('stint budget', () => {
  it("set creates a budget with its limits in the user's ledger", async () => {
    const cli = createCli({ hasLedger: false })
    const flags = ['--limit', 'cost=100/day', '--limit', 'tokens=1m/hour:warn', '--time-zone', 'Europe/Berlin']
    const { exitCode, stdout } = await cli.run('budget', 'set', 'team:core', ...flags)
    expect(exitCode).toBe(0)
    expect(stdout).toBe('team:core\n  tokens/hour 1m (warn)\n  cost/day $100.00\n')
    expect(cli.opened).toEqual([cli.ledgerFile])
    const [scope] = (await cli.store.read({ scopeId: 'team:core', atMs: NOW_MS }))!
    expect(scope).toMatchObject({ kind: 'lasting', owner: null, path: 'team:core', parentId: null })
    expect(scope?.limits[1]?.limit).toMatchObject({
      timeZone: 'Europe/Berlin',
      source: { flag: '--limit cost=100/day', command: 'stint budget raise team:core' },
    })
  })

  it('its limits name the command that raises them, whatever the budget is called', async () => {
    const cli = createCli()
    await cli.run('budget', 'set', 'user:ann smith', '--limit', 'cost=5')
    await cli.run('budget', 'raise', 'user:ann smith', '--limit', 'cost=9')
    const [scope] = (await cli.store.read({ scopeId: 'user:ann smith', atMs: NOW_MS }))!
    expect(scope?.limits[0]?.limit.source).toMatchObject({
      flag: '--limit cost=9',
      command: 'stint budget raise "user:ann smith"',
    })
  })

  it('set again changes the named limits and keeps the others', async () => {
    const cli = createCli()
    await cli.run('budget', 'set', 'team:core', '--limit', 'cost=100/day')
    const { stdout } = await cli.run('budget', 'set', 'team:core', '--limit', 'tokens=1m')
    expect(stdout).toBe('team:core\n  tokens 1m\n  cost/day $100.00\n')
  })

  it("set takes the config's limits, of one budget or of all, with file and line", async () => {
    const cli = createCli()
    const file = cli.write(
      'project/stint.config.yaml',
      'budgets:\n  team:core:\n    limits:\n      cost: { max: 100, per: day }\n  "user:ann smith":\n    limits: [cost=5/day]\n',
    )
    const { budgets } = (await cli.json('budget', 'set', '--trust')) as unknown as { budgets: Record<string, never>[] }
    expect(budgets.map(({ id }) => id)).toEqual(['team:core', 'user:ann smith'])
    expect(budgets[0]?.limits).toMatchObject([{ layer: 'project', source: { file, line: 4 } }])
    expect(budgets[1]?.limits).toMatchObject([{ limit: 5_000_000_000, source: { file, line: 6 } }])
    const one = (await cli.json('budget', 'set', 'team:core', '--limit', 'cost=7/day')) as unknown as typeof budgets
    expect(one).toMatchObject({ budgets: [{ limits: [{ limit: 7_000_000_000, layer: 'call' }] }] })
  })

  it.each([
    [['team:core'], '--limit'],
    [[], '--limit'],
    [['a/b', '--limit', 'cost=1'], 'contains a slash'],
    [['--limit', 'cost=1'], 'KEY'],
    [['team:core', '--limit', 'cost=1/fortnight'], 'hour, day, week or month'],
  ])('set %j is refused and creates no ledger', async (args, text) => {
    const cli = createCli({ hasLedger: false })
    const { exitCode, stderr } = await cli.run('budget', 'set', ...args)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(text)
    expect(cli.opened).toEqual([])
  })

  it('set refuses the id of a run', async () => {
    const cli = createCli()
    await cli.open({ id: 'run-1' })
    expect(await cli.run('budget', 'set', 'run-1', '--limit', 'cost=1')).toMatchObject({ exitCode: 2 })
  })

  it('list shows what is left and when it resets, and names budgets that are only in the config', async () => {
    const cli = createCli()
    cli.write('project/stint.config.yaml', 'budgets: { "user:ann": { limits: { cost: 5 } } }\n')
    await cli.run('budget', 'set', 'team:core', '--limit', 'cost=100/day')
    await cli.open({ id: 'run-1' }, {}, 'team:core')
    const call = { reservationId: 'r', scopeId: 'run-1', amounts: { cost: 30_000_000_000 }, holder: 'h', atMs: NOW_MS }
    await cli.store.reserve(call)
    const { stdout, stderr } = await cli.run('budget', 'list', '--trust')
    expect(stdout).toBe(
      [
        'BUDGET     LIMIT             SETTLED  RESERVED  HELD   LEFT    RESETS  RUNS',
        'team:core  cost/day $100.00  $0.00    $30.00    $0.00  $70.00  in 12h  1',
        '',
      ].join('\n'),
    )
    expect(stderr).toContain('user:ann')
    expect(await cli.json('budget', 'list', '--trust')).toMatchObject({
      missing: ['user:ann'],
      budgets: [{ id: 'team:core' }],
    })
  })

  it('show lists the runs that spend from it, and suggests a name that is nearly right', async () => {
    const cli = createCli()
    await cli.run('budget', 'set', 'team:core', '--limit', 'cost=100/day')
    await cli.open({ id: 'run-1', name: 'triage' }, {}, 'team:core')
    expect(await cli.json('budget', 'show', 'team:core')).toMatchObject({ runs: [{ id: 'run-1' }] })
    const { exitCode, stderr } = await cli.run('budget', 'show', 'team:cor')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('Did you mean "team:core"?')
  })

  it('raise changes an existing budget, without ceilings, and creates none', async () => {
    const cli = createCli()
    cli.write('project/stint.config.yaml', 'ceilings: { cost: { max: 5, per: day } }\n')
    await cli.run('budget', 'set', 'team:core', '--limit', 'cost=100/day:pause')
    const { stdout } = await cli.run('budget', 'raise', 'team:core', '--limit', 'cost=150/day')
    expect(stdout).toBe('team:core\n  cost/day $150.00 (pause)\n')
    expect(await cli.run('budget', 'raise', 'team:web', '--limit', 'cost=1')).toMatchObject({ exitCode: 1, stdout: '' })
  })
})
