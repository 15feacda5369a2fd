import { describe, expect, it } from 'vitest'
import { resolveLimits } from '../../policy/index.ts'
import { createCli, NOW_MS } from '../cli.fixture.ts'

/** A team with a run and a subagent, one tool call settled and one model call in flight. */
async function createBusyTeam(options: Parameters<typeof createCli>[0] = {}) {
  const cli = createCli(options)
  await cli.open({ id: 'team:core', kind: 'lasting', owner: null }, { cost: { max: 100, per: 'day' } })
  await cli.open({ id: 'run-1', name: 'triage' }, { toolCalls: 10, cost: 1, time: '10m' }, 'team:core')
  await cli.open({ id: 'run-2', name: 'reader', owner: 'holder-2' }, {}, 'run-1')
  const tool = { reservationId: 'tool-1', scopeId: 'run-2', amounts: { toolCalls: 9 }, holder: 'holder-2' }
  await cli.store.reserve({ ...tool, atMs: NOW_MS })
  await cli.store.settle({ reservationId: 'tool-1', activeMs: 60_000, atMs: NOW_MS })
  const call = { reservationId: 'call-1', scopeId: 'run-1', amounts: { cost: 250_000_000 }, holder: 'holder-1' }
  await cli.store.reserve({ ...call, activeMs: 120_000, atMs: NOW_MS })
  return cli
}

describe('stint status', () => {
  it('shows 200 of many scopes with full ids and how many more there are; --all and --json have all', async () => {
    const cli = createCli()
    for (let at = 0; at < 1250; at++) await cli.open({ id: `run-0000-${at}` })
    const { stdout } = await cli.run('status')
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(202)
    expect(lines[200]).toContain(' run-0000-199 ')
    expect(lines.at(-1)).toBe('… and 1,050 more: stint status --all')
    expect((await cli.run('status', '--all')).stdout.trimEnd().split('\n')).toHaveLength(1251)
    const { scopes, isTruncated } = (await cli.json('status')) as unknown as { scopes: []; isTruncated: boolean }
    expect([scopes.length, isTruncated]).toEqual([1250, false])
  })

  it('shows the tree of open scopes with their tightest limits', async () => {
    const cli = await createBusyTeam({ isHolderAlive: (holder) => (holder === 'holder-2' ? null : true) })
    const { stdout, exitCode } = await cli.run('status')
    expect(exitCode).toBe(0)
    expect(stdout).toBe(
      [
        'SCOPE         ID         STATUS   TIGHTEST LIMIT    SETTLED  RESERVED  HELD   LEFT    OWNER',
        'team:core     team:core  running  cost/day $100.00  $0.00    $0.25     $0.00  $99.75  –',
        '└─ triage     run-1      running  toolCalls 10      9        0         0      1       alive',
        '   └─ reader  run-2      running  –                                                   unknown',
        '',
      ].join('\n'),
    )
  })

  it('distinguishes a run whose process died from one whose process ended with a pause', async () => {
    const cli = createCli({ isHolderAlive: () => false })
    await cli.open({ id: 'run-1', name: 'left' }, {})
    await cli.open({ id: 'run-2', name: 'paused' }, {})
    await cli.store.pause({ scopeId: 'run-2', reason: 'paused by hand', atMs: NOW_MS })
    const { stdout, stderr } = await cli.run('status')
    // The same word as in `tasks` and `watch`.
    expect(stdout).toMatch(/^left .* stale .* dead$/m)
    expect(stderr).toContain('To continue: stint resume run-1, or to end it: stint stop run-1')
    expect(stdout).toMatch(/^paused .* gone$/m)
  })

  it('shows up to three more tight limits of a scope', async () => {
    const cli = createCli()
    await cli.open({ id: 'run-1' }, { toolCalls: 10, tokens: 1000, cost: 1, modelCalls: 100, outputTokens: 1000 })
    const amounts = { toolCalls: 9, tokens: 1000, cost: 950_000_000, modelCalls: 1, outputTokens: 900 }
    await cli.store.reserve({ reservationId: 'r', scopeId: 'run-1', amounts, holder: 'h', atMs: NOW_MS })
    const { stdout } = await cli.run('status')
    const shown = stdout.split('\n').slice(1, -1)
    expect(shown.map((line) => /(tokens|cost|toolCalls|outputTokens|modelCalls) /.exec(line)?.[1])).toEqual([
      'tokens',
      'cost',
      'toolCalls',
    ])
  })

  it('distinguishes a dead owner from a living one, and shows ended scopes only with --all', async () => {
    const cli = await createBusyTeam({ isHolderAlive: (holder) => holder !== 'holder-2' })
    await cli.open({ id: 'run-3', name: 'done' })
    await cli.store.close({ scopeId: 'run-3', status: 'completed', atMs: NOW_MS })
    expect((await cli.run('status')).stdout).toMatch(/reader .* dead\n/)
    expect((await cli.run('status')).stdout).not.toContain('done')
    expect((await cli.run('status', '--all')).stdout).toMatch(/done .* completed .* ended\n/)
  })

  it('has raw integers in its JSON, with units in the names', async () => {
    const cli = await createBusyTeam()
    const { scopes } = (await cli.json('status')) as unknown as { scopes: Record<string, never>[] }
    expect(scopes.map(({ path }) => path)).toEqual(['team:core', 'team:core/triage', 'team:core/triage/reader'])
    expect(scopes[1]).toMatchObject({
      id: 'run-1',
      parentId: 'team:core',
      kind: 'agent',
      status: 'running',
      owner: { holder: 'holder-1', isAlive: true },
      activeMs: 120_000,
      totals: { costNanoUsd: { settled: 0, reserved: 250_000_000 }, toolCalls: { settled: 9, reserved: 0 } },
    })
    expect(scopes[1]?.usage).toMatchObject({
      toolCalls: {
        unit: 'count',
        limit: 10,
        settled: 9,
        reserved: 0,
        held: 0,
        remaining: 1,
        overrun: 0,
        resetsAt: null,
      },
      cost: { unit: 'nanoUsd', limit: 1_000_000_000, reserved: 250_000_000, remaining: 750_000_000 },
      time: { unit: 'milliseconds', limit: 600_000, settled: 120_000, remaining: 480_000 },
      modelCalls: { limit: null, remaining: null },
    })
    expect(scopes[1]?.limits).toMatchObject([
      {
        meter: 'toolCalls',
        unit: 'count',
        limit: 10,
        settled: 9,
        remaining: 1,
        place: expect.stringContaining('limits'),
      },
      { meter: 'cost', unit: 'nanoUsd', limit: 1_000_000_000, reserved: 250_000_000, remaining: 750_000_000 },
      { meter: 'time', unit: 'milliseconds', limit: 600_000, settled: 120_000, remaining: 480_000, isCounted: true },
    ])
    expect(scopes[0]).toMatchObject({ owner: null, limits: [{ per: 'day', resetsAt: Date.UTC(2026, 10, 17) }] })
  })

  it('creates no ledger where there is none, and says so', async () => {
    const cli = createCli({ hasLedger: false })
    const { stdout, exitCode } = await cli.run('status')
    expect({ exitCode, opened: cli.opened }).toEqual({ exitCode: 0, opened: [] })
    expect(stdout).toBe(`There is no ledger at ${cli.ledgerFile} yet (the default).\n`)
  })

  it('leaves a lost ledger to the store to refuse', async () => {
    const cli = createCli({ hasLedger: false })
    cli.write('home/.local/state/stint/ledger.db.high-water', '')
    await cli.run('status')
    expect(cli.opened).toEqual([cli.ledgerFile])
  })
})

describe('stint show', () => {
  it('shows a scope, its path, its reservations, its pause and its requests', async () => {
    const cli = await createBusyTeam()
    await cli.store.ask({
      requestId: 'ask-1',
      scopeId: 'run-1',
      key: 'run-1 toolCalls',
      settled: 9,
      asked: 5,
      reason: 'two files are left',
      expiresAtMs: NOW_MS + 3_600_000,
      atMs: NOW_MS,
    })
    await cli.store.pause({ scopeId: 'run-1', reason: 'a look first', by: 'ben', atMs: NOW_MS - 300_000 })
    const { stdout } = await cli.run('show', 'team:core/triage')
    for (const text of [
      'team:core/triage',
      'cost/day $100.00',
      'call-1',
      'cost $0.25',
      '5m ago by ben: a look first',
      'ask-1',
      'two files are left',
    ]) {
      expect(stdout).toContain(text)
    }
    const json = (await cli.json('show', 'run-1')) as unknown as Record<string, never>
    expect(json).toMatchObject({
      scope: { id: 'run-1', pause: { by: 'ben' } },
      ancestors: [{ id: 'team:core' }],
      reservations: { open: [{ id: 'call-1', reserved: { costNanoUsd: 250_000_000 }, charged: null }], assumed: [] },
      requests: [{ id: 'ask-1', meter: 'toolCalls', unit: 'count', asked: 5 }],
    })
  })

  it('shows labels in words, and the process that runs it', async () => {
    const cli = createCli()
    const owner = 'vm/4026531836/e9c4fff5-9d1c-4666-948b-b04b65bc7727/5527/17526/4ed029d6b0db'
    const labels = { taskId: 'run-1', agentType: 'reviewer', wrapUp: 'false', ticket: 'ABC-1' }
    await cli.open({ id: 'run-1', name: 'triage', owner, labels }, { turns: 10 })
    const { stdout } = await cli.run('show', 'run-1')
    expect(stdout).toContain('\nowner           alive (pid 5527 on vm)\n')
    expect(stdout).toContain('\nrole            reviewer\nclosing answer  no\nticket          ABC-1\n')
    expect(stdout).not.toMatch(/taskId|agentType|wrapUp|4026531836/)
    expect(await cli.json('show', 'run-1')).toMatchObject({ scope: { labels, owner: { holder: owner } } })
  })

  it('wraps what is wider than the terminal between words, and keeps the indent', async () => {
    const cli = createCli({ isTerminal: true, columns: 60 })
    await cli.open({ id: 'run-1', labels: { note: 'a long sentence '.repeat(8).trim() } })
    const { stdout } = await cli.run('show', 'run-1')
    expect(stdout).toMatch(/\nnote +a long sentence .*\n {9}\S/)
    expect(stdout.split('\n').filter((line) => line.length > 60)).toEqual([])
  })

  it('finds a scope by the beginning of its id, and by its path, open ones first', async () => {
    const cli = createCli()
    await cli.open({ id: 'aa-old', name: 'triage' })
    await cli.store.close({ scopeId: 'aa-old', status: 'completed', atMs: NOW_MS })
    await cli.open({ id: 'aa-new', name: 'triage' })
    const idOf = async (text: string) =>
      ((await cli.json('show', text)) as unknown as { scope: { id: string } }).scope.id
    expect(await idOf('triage')).toBe('aa-new')
    expect(await idOf('aa')).toBe('aa-new')
    expect(await idOf('aa-o')).toBe('aa-old')
  })

  it('lists the candidates of an ambiguous id', async () => {
    const cli = createCli()
    await cli.open({ id: 'abc-1', name: 'one' })
    await cli.open({ id: 'abc-2', name: 'two' })
    const { exitCode, stderr } = await cli.run('show', 'abc')
    expect(exitCode).toBe(1)
    expect(stderr).toBe(
      'stint: "abc" may mean 2 scopes. Give the whole id of one of them:\n  abc-1  one  running\n  abc-2  two  running\n',
    )
  })

  it('suggests the scope that was probably meant', async () => {
    const cli = await createBusyTeam()
    const { exitCode, stderr } = await cli.run('show', 'team:croe')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('Did you mean "team:core"?')
  })
})

describe('stint explain', () => {
  it('J3: shows what a limit can be raised to, and what sets that ceiling', async () => {
    const cli = createCli()
    const { ceilings } = resolveLimits([{ layer: 'ceiling', limits: { cost: 2 }, file: 'stint.config.yaml', line: 3 }])
    await cli.open({ id: 'run-1', ceilings }, { cost: 1, toolCalls: 5 })
    const { stdout } = await cli.run('explain', 'run-1')
    expect(stdout).toContain('\n  can be raised to $2.00 (cost in stint.config.yaml:3)')
    const json = (await cli.json('explain', 'run-1')) as unknown as { scopes: { limits: unknown[] }[] }
    expect(json.scopes[0]!.limits).toMatchObject([
      { meter: 'toolCalls', ceiling: null },
      { ceiling: { maxText: '$2.00' } },
    ])
  })

  it('prints limits below each other on a narrow terminal, without cutting a path', async () => {
    const cli = createCli({ isTerminal: true, columns: 60 })
    const file = cli.write('home/.config/stint/config.yaml', 'limits: { turns: 9 }\nceilings: { turns: 4 }\n')
    const { stdout } = await cli.run('explain')
    expect(stdout).toMatch(/^turns 4, terminate\n {2}set by ceilings\.turns in\n/)
    expect(stdout).toContain('  instead of 9 (user)\n')
    expect(stdout.split(file).length).toBeGreaterThan(2)
    const isPath = (line: string): boolean => line.includes(file)
    expect(stdout.split('\n').filter((line) => line.length > 60 && !isPath(line))).toEqual([])
  })

  it('shows every limit on the path with its layer and place', async () => {
    const cli = await createBusyTeam()
    const { stdout } = await cli.run('explain', 'run-1')
    expect(stdout).toMatch(/^team:core\nlimit/)
    expect(stdout).toMatch(/toolCalls +10 +terminate +call +limits\.toolCalls in the call of governor\.open/)
    const json = (await cli.json('explain', 'run-1')) as unknown as { scopes: { limits: unknown[] }[] }
    expect(json.scopes.map(({ limits }) => limits.length)).toEqual([1, 3])
  })

  it("without an id shows the config's limits for runs, with file and line, and what each replaces", async () => {
    const cli = createCli({ env: { STINT_LIMITS: 'turns=7, time=90s' } })
    const user = cli.write('home/.config/stint/config.yaml', 'limits:\n  cost: 5\nceilings:\n  tokens: 1m\n')
    const project = cli.write('project/stint.config.yaml', '# ours\nlimits:\n  cost: 1\n  toolCalls: 25\n')
    const { limits } = (await cli.json('explain')) as unknown as { limits: Record<string, unknown>[] }
    expect(limits).toMatchObject([
      { meter: 'toolCalls', max: 7, layer: 'environment', source: { variable: 'STINT_LIMITS', written: 'turns' } },
      { meter: 'tokens', max: 1_000_000, layer: 'ceiling', source: { file: user, line: 4 } },
      { meter: 'cost', max: 1_000_000_000, layer: 'project', source: { file: project, line: 3, field: 'limits.cost' } },
      { meter: 'time', max: 90_000, layer: 'environment' },
    ])
    expect(limits[2]?.overrides).toMatchObject([{ layer: 'user', place: `limits.cost in ${user}:2` }])
  })
})
