import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CallResult } from '../../core/index.ts'
import { createCli, NOW_MS, type TestCli } from '../cli.fixture.ts'

const HOUR_MS = 3_600_000
const USD = 1_000_000_000

/** Two users of a team and a run of nobody, with calls over three days. */
async function spentCli(): Promise<TestCli> {
  const cli = createCli()
  const open = (id: string, parentId: string | null, more: object) => {
    const scope = { id, name: id, kind: 'agent', owner: 'holder-1', limits: [], ...more } as const
    return cli.store.open({ parentId, scopes: [scope], atMs: NOW_MS - 72 * HOUR_MS })
  }
  await open('team:core', null, { kind: 'lasting' })
  await open('user:ann', 'team:core', { kind: 'lasting' })
  await open('anns', 'user:ann', { labels: { agentType: 'developer' } })
  await open('teams', 'team:core', { labels: { agentType: '=cmd|"<b>' } })
  await open('nobodys', null, {})
  let calls = 0
  const charge = async (scopeId: string, hoursAgo: number, amounts: object, name: string, result?: CallResult) => {
    const reservationId = `call-${++calls}`
    const atMs = NOW_MS - hoursAgo * HOUR_MS
    const call = name === 'bash' ? 'tool' : 'model'
    await cli.store.reserve({ reservationId, scopeId, amounts, holder: 'h', about: { call, name }, atMs })
    const outcome = result === undefined ? {} : { result }
    await cli.store.settle({ reservationId, actual: amounts, ...outcome, atMs: atMs + 1 })
  }
  const costs = { input: USD, cacheRead: USD, output: 2 * USD }
  const tokens = { tokens: 50_000, uncachedTokens: 20_000, outputTokens: 8_000 }
  await charge('anns', 50, { cost: 4 * USD, ...tokens }, 'opus', { ending: 'answered', costs })
  await charge('anns', 3, { toolCalls: 1 }, 'bash')
  await charge('teams', 3, { cost: USD, tokens: 10 }, 'haiku')
  await charge('nobodys', 1, { cost: 2 * USD, tokens: 7 }, 'opus')
  return cli
}

describe('stint report', () => {
  it('shows where the money went, by model', async () => {
    const cli = await spentCli()
    expect((await cli.run('report')).stdout).toBe(
      [
        'MODEL  CALLS  TOKENS  CACHED  OUTPUT  COST   SHARE',
        'opus   2      50k     30k     8,000   $6.00  86%',
        'haiku  1      10      10      0       $1.00  14%',
        '',
        'Total: $7.00 for 3 calls',
        'Fresh input  $1.00  14%  ███',
        'Cache reads  $1.00  14%  ███',
        'Output       $2.00  29%  ███████',
        'Not divided  $3.00  43%  ██████████',
        '',
      ].join('\n'),
    )
  })

  it.each([
    ['agent', { '(no type)': 2, developer: 4, '=cmd|"<b>': 1 }],
    ['user', { 'user:ann': 4, '(no user)': 3 }],
    ['team', { 'team:core': 5, '(no team)': 2 }],
    ['day', { '2026-11-14': 4, '2026-11-16': 3 }],
    ['hour', { '2026-11-14T10:00Z': 4, '2026-11-16T09:00Z': 1, '2026-11-16T11:00Z': 2 }],
    ['tool', { bash: 0 }],
  ])('by %s: rows and parts add up exactly to the total', async (by, dollars) => {
    const cli = await spentCli()
    const report = (await cli.json('report', '--by', by)) as never as {
      rows: { key: string; totals: { costNanoUsd?: number }; parts: { costNanoUsd: number }[] }[]
      total: { totals: { costNanoUsd?: number }; parts: { costNanoUsd: number }[] }
    }
    const costs = report.rows.map(({ key, totals }) => [key, (totals.costNanoUsd ?? 0) / USD])
    expect(Object.fromEntries(costs)).toEqual(dollars)
    const sum = (all: readonly { costNanoUsd?: number }[]) =>
      all.reduce((total, { costNanoUsd = 0 }) => total + costNanoUsd, 0)
    expect(sum(report.rows.map(({ totals }) => totals))).toBe(report.total.totals.costNanoUsd ?? 0)
    for (const { totals, parts } of [...report.rows, report.total]) expect(sum(parts)).toBe(totals.costNanoUsd ?? 0)
  })

  it('uses the given time zone for days', async () => {
    const cli = await spentCli()
    const report = await cli.run('report', '--by', 'day', '--time-zone', 'Pacific/Kiritimati')
    expect(report.stdout).toMatch(/^2026-11-15 .*\$4\.00/m)
    expect((await cli.run('report', '--time-zone', 'Mars/Olympus')).stderr).toMatch(/time zone.*Mars\/Olympus/)
  })

  it('looks back only as far as asked', async () => {
    const cli = await spentCli()
    expect((await cli.run('report', '--since', '2h')).stdout).toMatch(/Total: \$2\.00 for 1 calls?\n/)
    expect((await cli.run('report', '--by', 'tool', '--since', '2h')).stdout).toBe(
      'No tool was called in the last 2h.\n',
    )
    expect((await cli.run('report', '--since', 'soon')).exitCode).toBe(2)
    expect((await cli.run('report', '--by', 'week')).stderr).toMatch(/--by.*agent, model, tool, user, team, day/)
  })

  it('says that a ledger is empty, in every format', async () => {
    const cli = createCli({ hasLedger: false })
    expect((await cli.run('report')).stdout).toBe('Nothing was called in the last 7d.\n')
    expect(await cli.json('report')).toMatchObject({ rows: [], total: { calls: 0, totals: {}, parts: [] } })
    expect((await cli.run('report', '--csv')).stdout).toMatch(/^model,calls,cost_nano_usd,.*\n$/)
    expect((await cli.run('report', '--html', 'empty.html')).stderr).toMatch(/Wrote .*empty\.html/)
    expect(readFileSync(join(cli.projectFolder, 'empty.html'), 'utf8')).toContain('Nothing was called in this time.')
  })

  it('contains no spreadsheet formula as CSV', async () => {
    const cli = await spentCli()
    const lines = (await cli.run('report', '--by', 'agent', '--csv')).stdout.split('\n')
    expect(lines[0]).toMatch(/^agent,calls,cost_nano_usd,tokens,.*,input_nano_usd,cache_read_nano_usd,/)
    expect(lines[3]).toMatch(/^"'=cmd\|""<b>",1,1000000000,10,/)
  })

  it('loads nothing, runs nothing, and escapes names as HTML', async () => {
    const cli = await spentCli()
    await cli.run('report', '--by', 'agent', '--html', 'report.html')
    const page = readFileSync(join(cli.projectFolder, 'report.html'), 'utf8')
    expect(page).toContain('=cmd|&#34;&#60;b&#62;')
    expect(page).not.toMatch(/<b>"|<script|src=|href=|url\(|https?:/)
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
  })

  it('replaces a file only with --force', async () => {
    const cli = await spentCli()
    const file = join(cli.projectFolder, 'mine.html')
    writeFileSync(file, 'mine')
    const refused = await cli.run('report', '--html', 'mine.html')
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringMatching(/mine\.html.*--force/)])
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect((await cli.run('report', '--html', 'mine.html', '--force')).exitCode).toBe(0)
    expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>/)
    expect((await cli.run('report', '--html', 'nowhere/mine.html')).stderr).toMatch(/--html.*nowhere/)
  })

  it('fits 100,000 agent types on the screen, and says when sums exceed an exact integer', async () => {
    const sum = { hourMs: NOW_MS - HOUR_MS, rootId: 'r', payerId: 'r', call: 'model' as const, name: 'opus', calls: 1 }
    const half = 2 ** 52
    const many = Array.from({ length: 100_000 }, (_, index) => {
      return { ...sum, agentType: `agent-${index}`, amounts: { cost: half }, costs: { output: half } }
    })
    const cli = createCli({ sums: async () => many, isTerminal: true })
    const { stdout, stderr } = await cli.run('report', '--by', 'agent', '--no-color', '--html', 'many.html')
    expect(stdout.split('\n').length).toBeLessThan(60)
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(stderr).toContain('at least')
    expect(readFileSync(join(cli.projectFolder, 'many.html'), 'utf8').length).toBeLessThan(100_000)
  })
})
