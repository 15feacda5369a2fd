import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createCli, NOW_MS } from '../cli.fixture.ts'

const DAY_MS = 86_400_000

describe('stint prune', () => {
  it('removes what ended before then, and says how much that was', async () => {
    const cli = createCli()
    const { exitCode, stdout } = await cli.run('prune', '--older-than', '90d')
    expect(cli.pruned).toEqual([{ beforeMs: NOW_MS - 90 * DAY_MS, atMs: NOW_MS, isDryRun: false }])
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout:
        'Pruned 3 scopes, 41 reservations, 9 events, 1 journal entry of 1 tree. Totals and hourly sums are unchanged.\n',
    })
    const document = await cli.json('prune', '--older-than', '12h')
    const report = { roots: 1, scopes: 3, reservations: 41, events: 9, entries: 1, bytesBefore: 5000, bytesAfter: 5000 }
    const beforeMs = NOW_MS - DAY_MS / 2
    expect(document).toEqual({
      exitCode: 0,
      file: cli.ledgerFile,
      store: `sqlite:${cli.ledgerFile}`,
      beforeMs,
      isDryRun: false,
      ...report,
      tasks: 0,
    })
  })

  it('changes nothing with --dry-run', async () => {
    const cli = createCli()
    const { stdout } = await cli.run('prune', '--older-than', '90d', '--dry-run')
    expect(cli.pruned).toMatchObject([{ isDryRun: true }])
    expect(stdout).toMatch(/^Would prune 3 scopes.*Nothing was changed\.\n$/)
  })

  it('removes the folders of tasks that ended that long ago, and no others', async () => {
    const cli = createCli()
    const task = (id: string, runStatus: string, endedAtMs: number | null) =>
      cli.write(
        `home/.local/state/stint/tasks/${id}/task.json`,
        JSON.stringify({ id, subject: id, agent: 'plain', status: 'completed', runStatus, endedAtMs, createdAtMs: 1 }),
      )
    const old = task('old', 'completed', NOW_MS - 100 * DAY_MS)
    const kept = [task('new', 'completed', NOW_MS - DAY_MS), task('paused', 'paused', null)]
    expect(await cli.json('prune', '--older-than', '90d', '--dry-run')).toMatchObject({ tasks: 1 })
    expect(existsSync(old)).toBe(true)
    const { stdout } = await cli.run('prune', '--older-than', '90d')
    expect(stdout).toContain('and 1 task folder.')
    expect([existsSync(old), ...kept.map((file) => existsSync(file))]).toEqual([false, true, true])
  })

  it('says so when nothing is that old', async () => {
    const prune = () => ({ roots: 0, scopes: 0, reservations: 0, entries: 0, beforeMs: 0 })
    expect((await createCli({ prune }).run('prune', '--older-than', '90d')).stdout).toMatch(
      /^Nothing in .* ended before 1970-01-01T00:00:00.000Z: nothing to prune/,
    )
  })

  it.each(['90', '0', '0d', 'soon', '-3d', ''])('refuses %j, and touches nothing', async (text) => {
    const cli = createCli()
    const { exitCode, stderr } = await cli.run('prune', `--older-than=${text}`)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('--older-than')
    expect(stderr).toContain('90d')
    expect(cli.pruned).toEqual([])
  })

  it('without an age keeps what the config says: 90 days and 2 GB by default', async () => {
    const cli = createCli()
    await cli.run('prune')
    await cli.run('prune', '--config', cli.write('own.yaml', 'history: { days: 7, maxBytes: false }'))
    expect(cli.pruned).toEqual([
      { beforeMs: NOW_MS - 90 * DAY_MS, atMs: NOW_MS, isDryRun: false, mostBytes: 2 * 1024 ** 3 },
      { beforeMs: NOW_MS - 7 * DAY_MS, atMs: NOW_MS, isDryRun: false },
    ])
    const all = cli.write('all.yaml', 'history: { days: false, maxBytes: false }')
    const { exitCode, stderr } = await cli.run('prune', '--config', all)
    expect([exitCode, cli.pruned.length]).toEqual([2, 2])
    expect(stderr).toContain('the config keeps everything')
  })

  it('says how much smaller the ledger is', async () => {
    const prune = () => ({ bytesBefore: 9_000_000, bytesAfter: 1_500_000 })
    expect((await createCli({ prune }).run('prune')).stdout).toMatch(/The ledger is 7\.5 MB smaller\.\n$/)
  })

  it('runs by itself at most once a day, after a command that writes to the ledger', async () => {
    const cli = createCli()
    await cli.run('status')
    expect(cli.pruned).toEqual([])
    await cli.run('budget', 'set', 'team:core', '--limit', 'cost=1')
    expect(cli.pruned).toMatchObject([{ beforeMs: NOW_MS - 90 * DAY_MS, everyMs: DAY_MS }])
    const failing = () => {
      throw new Error('busy')
    }
    expect(await createCli({ prune: failing }).run('budget', 'set', 'team:a', '--limit', 'cost=1')).toMatchObject({
      exitCode: 0,
    })
  })

  it('by itself also removes the folders of old tasks whose tree has nothing left to remove', async () => {
    const setBudget = (cli: ReturnType<typeof createCli>) => cli.run('budget', 'set', 'team:core', '--limit', 'cost=1')
    for (const wasDue of [false, true]) {
      const cli = createCli({ prune: () => ({ wasDue, roots: 0 }) })
      const old = cli.write(
        'home/.local/state/stint/tasks/old/task.json',
        JSON.stringify({
          id: 'old',
          subject: 'old',
          agent: 'plain',
          status: 'completed',
          runStatus: 'completed',
          endedAtMs: NOW_MS - 100 * DAY_MS,
          createdAtMs: 1,
        }),
      )
      await setBudget(cli)
      expect.soft(existsSync(old)).toBe(!wasDue)
    }
  })

  it('creates no ledger, and does nothing for one in memory', async () => {
    const missing = createCli({ hasLedger: false })
    expect(await missing.run('prune', '--older-than', '90d')).toMatchObject({ exitCode: 1, stdout: '' })
    const memory = createCli()
    expect(await memory.run('prune', '--older-than', '90d', '--store', 'memory:')).toMatchObject({ exitCode: 0 })
    expect([missing.pruned, memory.pruned]).toEqual([[], []])
  })
})
