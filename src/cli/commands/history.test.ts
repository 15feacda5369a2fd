import { describe, expect, it } from 'vitest'
import { createCli, NOW_MS } from '../cli.fixture.ts'

const HOUR_MS = 3_600_000

/**
 * A command below a budget, with a subagent, that ended an hour ago; a run of the library; and one that is still
 * running.
 */
async function createPast() {
  const cli = createCli()
  const { store } = cli
  const startMs = NOW_MS - 2 * HOUR_MS
  const open = (parentId: string | null, scope: object, atMs = startMs) => {
    const plain = { kind: 'agent', owner: 'holder-1', limits: [] } as const
    return store.open({ parentId, scopes: [{ ...plain, ...scope } as never], atMs })
  }
  await open(null, { id: 'team:core', name: 'team:core', kind: 'lasting', owner: null, about: { by: 'ann' } })
  const about = {
    command: 'claude -p "fix it" --api-key sk-ant-0123456789abcdef',
    by: 'ann',
    folder: '/work',
    host: 'a',
  }
  await open('team:core', { id: 'run-1', name: 'claude', labels: { agentType: 'claude' }, about })
  await open('run-1', { id: 'run-1-sub', name: 'reader' })
  const model = { call: 'model', name: 'claude-sonnet-4-5', provider: 'anthropic', outputTokens: 32_000 } as const
  const reserve = { scopeId: 'run-1-sub', amounts: { tokens: 900, cost: 90_000_000 }, holder: 'holder-1' }
  await store.reserve({ reservationId: 'call-1', ...reserve, about: model, atMs: startMs })
  await store.settle({
    reservationId: 'call-1',
    actual: { tokens: 500, cost: 42_000_000 },
    result: {
      ending: 'answered',
      usage: { inputTokens: 100, cacheReadTokens: 300, outputTokens: 100 },
      price: 'table x',
    },
    atMs: startMs + 2_000,
  })
  await store.close({ scopeId: 'run-1-sub', status: 'completed', atMs: startMs + 3_000 })
  await store.close({ scopeId: 'run-1', status: 'failed', reason: 'no answer', atMs: NOW_MS - HOUR_MS })
  await open(null, { id: 'run-2', name: 'mine' }, NOW_MS - 26 * HOUR_MS)
  await store.close({ scopeId: 'run-2', status: 'completed', atMs: NOW_MS - 25 * HOUR_MS })
  await open(null, { id: 'run-3', name: 'running' }, NOW_MS)
  return cli
}

describe('stint history', () => {
  it('lists the runs that ended, whatever started them, without their subagents', async () => {
    const cli = await createPast()
    const { stdout } = await cli.run('history')
    expect(stdout).toBe(
      [
        'ENDED      RUN                                     ID     TOOK  COST    END',
        '1h ago     claude -p "fix it" --api-key [removed]  run-1  1h    $0.042  failed',
        '1d 1h ago  mine                                    run-2  1h    $0.00   completed',
        '',
      ].join('\n'),
    )
  })

  it('filters by time, and has the same rows as JSON', async () => {
    const cli = await createPast()
    expect((await cli.run('history', '--since', '2h')).stdout).not.toContain('mine')
    expect((await cli.run('history', '--since', '30m')).stdout).toBe('No run ended in the last 30m.\n')
    expect(await cli.json('history', '--since', '2h')).toMatchObject({
      isTruncated: false,
      runs: [
        {
          id: 'run-1',
          status: 'failed',
          durationMs: HOUR_MS,
          agentType: 'claude',
          totals: { costNanoUsd: 42_000_000 },
        },
      ],
    })
  })

  it('prints CSV with --csv, and no cell is a formula', async () => {
    const cli = await createPast()
    const about = { task: '=1+1, "quoted"\nand more' }
    const scope = { id: 'odd', name: 'odd', kind: 'agent', owner: null, limits: [], about } as const
    await cli.store.open({ parentId: null, scopes: [scope], atMs: NOW_MS })
    await cli.store.close({ scopeId: 'odd', status: 'stopped', atMs: NOW_MS })
    const [head, first] = (await cli.run('history', '--csv')).stdout.split('\n')
    expect(head).toMatch(/^ended_at,started_at,id,path,agent,command,task,by,folder,status,duration_ms,cost_nano_usd,/)
    expect(first).toContain(`odd,odd,odd,,"'=1+1, ""quoted""`)
  })
})

describe('stint history --sums', () => {
  const hour = (hourMs: number, more: object) => ({
    hourMs,
    rootId: 'team:core',
    payerId: 'team:core',
    agentType: 'developer',
    call: 'model' as const,
    name: 'opus',
    calls: 2,
    amounts: { tokens: 30, cost: 14_000_000 },
    costs: { other: 14_000_000 },
    ...more,
  })
  const startMs = Date.UTC(2026, 10, 15, 12)
  const sums = async () => [
    hour(startMs, {}),
    hour(startMs, { call: 'tool', name: '=bash', amounts: { toolCalls: 1 }, calls: 1 }),
    hour(startMs + HOUR_MS, { agentType: null, name: null }),
    hour(startMs + 24 * HOUR_MS, { name: 'haiku', amounts: { tokens: 1, cost: 20_000_000 } }),
  ]

  it('sums calls: days in order, models with the most expensive first', async () => {
    const cli = createCli({ sums })
    expect((await cli.run('history', '--sums', 'day')).stdout).toBe(
      [
        'DAY         CALLS  TOKENS  COST',
        '2026-11-15  5      60      $0.028',
        '2026-11-16  2      1       $0.02',
        '',
      ].join('\n'),
    )
    expect(await cli.json('history', '--sums', 'model')).toMatchObject({
      by: 'model',
      sums: [
        { key: 'haiku', calls: 2 },
        { key: '(no name)', calls: 2 },
        { key: 'opus', calls: 2, totals: { tokens: 30, costNanoUsd: 14_000_000 } },
      ],
    })
    expect((await cli.run('history', '--sums', 'tool', '--csv')).stdout).toBe(
      "tool,calls,cost_nano_usd,tokens,output_tokens,tool_calls,model_calls\n'=bash,1,0,0,0,1,0\n",
    )
  })

  it('applies --since, and refuses unknown groups', async () => {
    const asked: number[] = []
    const sumsAsked = async ({ sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number }) => {
      asked.push(untilMs - sinceMs)
      return []
    }
    const cli = createCli({ sums: sumsAsked })
    expect((await cli.run('history', '--sums', 'hour')).stdout).toBe('Nothing was called in the last 1d.\n')
    await cli.run('history', '--sums', 'agent', '--since', '2h')
    expect(asked).toEqual([24 * HOUR_MS, 2 * HOUR_MS])
    expect((await cli.run('history', '--sums', 'week')).stderr).toMatch(/--sums.*hour, day, model, tool, agent, root/)
  })
})

describe('the description of a run', () => {
  it('is shown by status --all and by watch, never with its keys', async () => {
    const cli = await createPast()
    await cli.store.open({
      parentId: null,
      scopes: [
        { id: 'run-4', name: 'sh', kind: 'agent', owner: null, limits: [], about: { command: 'sh -c "TOKEN=abc x"' } },
      ],
      atMs: NOW_MS,
    })
    const all = (await cli.run('status', '--all')).stdout
    // It shrinks to the width of the screen.
    expect(all).toContain('└─ claude -p "fi')
    expect((await cli.run('watch', '--once')).stdout).toContain('sh -c "TOKEN=[removed] x"')
    expect(all).not.toMatch(/abc|sk-ant/)
  })
})

describe('stint log', () => {
  it('shows the events of a scope and below it, in order', async () => {
    const cli = await createPast()
    const { stdout } = await cli.run('log', 'run-1')
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.replace(/^\S+ \S+ {2}/, ''))).toEqual([
      'team:core/claude  opened',
      'team:core/claude/reader  opened',
      'team:core/claude/reader  model claude-sonnet-4-5: tokens 500, cost $0.042 in 2s',
      'team:core/claude/reader  ended: completed',
      'team:core/claude  ended: failed (no answer)',
    ])
  })

  it('shows the last hour of the whole ledger, or as far back as --since says', async () => {
    const cli = await createPast()
    expect((await cli.run('log')).stdout).not.toContain('mine')
    const day = (await cli.run('log', '--since', '2d')).stdout.trimEnd().split('\n')
    expect(day[0]).toContain('mine')
    expect(day.at(-1)).toContain('running')
    expect([...day].sort()).toEqual(day)
  })

  it('prints an event on each line of JSON, with the record of its call', async () => {
    const cli = await createPast()
    const { stdout } = await cli.run('log', 'run-1', '--json')
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events[2]).toMatchObject({
      event: 'call_settled',
      seq: 4,
      scope: 'run-1-sub',
      record: { id: 'call-1', about: { name: 'claude-sonnet-4-5' }, result: { ending: 'answered' } },
    })
  })

  it('follows a scope to its end, whichever process works on it, without repeating an event', async () => {
    const cli = await createPast()
    const { store } = cli
    const followed = cli.run('log', 'run-3', '--follow')
    const call = { reservationId: 'late', scopeId: 'run-3', amounts: { toolCalls: 1 }, holder: 'other' }
    await store.reserve({ ...call, about: { call: 'tool', name: 'read' }, atMs: NOW_MS })
    await store.settle({ reservationId: 'late', atMs: NOW_MS })
    await store.pause({ scopeId: 'run-3', reason: 'lunch', atMs: NOW_MS })
    await store.resume({ scopeId: 'run-3', by: 'bob', atMs: NOW_MS })
    await store.setLimits({ scopeId: 'team:core', limits: [], atMs: NOW_MS })
    await store.close({ scopeId: 'run-3', status: 'completed', atMs: NOW_MS })
    const lines = (await followed).stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.replace(/^\S+ \S+ {2}/, ''))).toEqual([
      'running  opened',
      'running  tool read: toolCalls 1 in 0ms',
      'running  paused: lunch',
      'running  resumed by bob after 0ms',
      'running  ended: completed',
    ])
  })

  it('follows the whole ledger: new trees from their start, and only new events of old ones', async () => {
    const cli = createCli()
    const { store } = cli
    const oldMs = NOW_MS - 30 * HOUR_MS
    const scope = { id: 'old', name: 'old', kind: 'agent', owner: null, limits: [] } as const
    await store.open({ parentId: null, scopes: [scope], atMs: oldMs })
    const call = { reservationId: 'late', scopeId: 'old', amounts: { toolCalls: 1 }, holder: 'other' }
    await store.reserve({ ...call, about: { call: 'tool', name: 'read' }, atMs: oldMs })
    await store.close({ scopeId: 'old', status: 'completed', atMs: oldMs })
    await cli.open({ id: 'open', name: 'open' })
    const followed = cli.run('log', '--follow', '--since', '1h')
    await expect.poll(() => cli.said.out).toContain('open')
    await store.settle({ reservationId: 'late', atMs: NOW_MS })
    await cli.open({ id: 'new', name: 'new' })
    await expect.poll(() => cli.said.out).toContain('new  opened')
    await expect.poll(() => cli.said.out).toContain('old  tool read')
    cli.stop()
    const lines = (await followed).stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.replace(/^\S+ \S+ {2}/, '')).sort()).toEqual([
      'new  opened',
      'old  tool read: toolCalls 1 in 1d 6h',
      'open  opened',
    ])
  })

  it('says when nothing happened, and refuses an invalid time', async () => {
    const cli = createCli()
    expect((await cli.run('log')).stdout).toBe('Nothing happened in the last 1h.\n')
    expect((await cli.run('log', '--since', 'yesterday')).exitCode).toBe(2)
  })
})

describe('stint show', () => {
  it('numbers the attempts at a request, like the log and the JSON', async () => {
    const cli = await createPast()
    const call = { reservationId: 'again', scopeId: 'run-3', amounts: { modelCalls: 1 }, holder: 'h', atMs: NOW_MS }
    await cli.store.reserve({ ...call, about: { call: 'model', name: 'opus', attempt: 2 } })
    await cli.store.settle({ reservationId: 'again', atMs: NOW_MS })
    expect((await cli.run('show', 'run-3')).stdout).toMatch(/opus \(attempt 2\)/)
    expect((await cli.run('log', 'run-3')).stdout).toMatch(/model opus \(attempt 2\): modelCalls 1/)
    expect(await cli.json('show', 'run-3')).toMatchObject({ calls: [{ record: { about: { attempt: 2 } } }] })
    expect(await cli.json('show', 'run-1')).toMatchObject({ calls: [{ record: { about: { attempt: 1 } } }] })
  })

  it('shows the purpose of a run, its calls one by one, and what its limits refused', async () => {
    const cli = await createPast()
    await cli.open({ id: 'tight' }, { toolCalls: 1 })
    const refused = { scopeId: 'tight', amounts: { toolCalls: 5 }, holder: 'h', atMs: NOW_MS }
    await cli.store.reserve({ reservationId: 'a', ...refused })
    const { stdout } = await cli.run('show', 'run-1')
    expect(stdout).toMatch(/^command +claude -p "fix it" --api-key \[removed\]$/m)
    expect(stdout).toMatch(/^started by +ann on a$/m)
    expect(stdout).toMatch(/claude-sonnet-4-5 +400 in, 100 out +\$0\.042 +2s +answered/)
    expect((await cli.run('show', 'tight')).stdout).toMatch(/Refused by its limits\ntoolCalls +1 time /)
    expect(await cli.json('show', 'tight')).toMatchObject({ denials: [{ meter: 'toolCalls', count: 1 }], calls: [] })
  })
})
