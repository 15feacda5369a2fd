import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createCli, NOW_MS, type TestCli } from '../cli.fixture.ts'

/** A developer that needed 1 to `runs` turns. */
async function pastCli(runs: number): Promise<TestCli> {
  const cli = createCli({ isTerminal: true })
  for (let need = 1; need <= runs; need++) {
    const id = `run-${need}`
    await cli.open({ id, labels: { agentType: 'developer' } }, { turns: 99 })
    const amounts = { toolCalls: need, cost: need * 10_000_000 }
    await cli.store.reserve({ reservationId: id, scopeId: id, amounts, holder: 'holder-1', atMs: NOW_MS })
    await cli.store.settle({ reservationId: id, actual: amounts, activeMs: need * 1000, atMs: NOW_MS })
    await cli.store.close({ scopeId: id, status: 'completed', atMs: NOW_MS })
  }
  return cli
}

describe('stint limits suggest', () => {
  it('shows limits with their evidence', async () => {
    const cli = await pastCli(20)
    expect((await cli.run('limits', 'suggest', 'developer', '--no-color')).stdout).toBe(
      [
        'developer: for 95% of its successful work (20 done, 0 cut by a limit)',
        'LIMIT       NOW  SUGGESTED  EVIDENCE',
        'toolCalls   99   19         cuts 5% of runs',
        'time             19s        cuts 5% of runs',
        'cost             $0.19      cuts 5% of runs',
        'modelCalls       1          cuts none of runs',
        '',
      ].join('\n'),
    )
    expect(await cli.json('limits', 'suggest')).toMatchObject({
      agents: [{ agent: 'developer', runs: { done: 20 }, limits: [{ meter: 'toolCalls', suggested: 19 }, {}, {}, {}] }],
    })
  })

  it('admits when it does not know enough', async () => {
    const few = await pastCli(3)
    expect((await few.run('limits', 'suggest', 'developer')).stdout).toMatch(
      /toolCalls.*–.*fewer than 20 successful runs/,
    )
    expect((await few.run('limits', 'suggest', 'qa')).stdout).toBe(
      'No run of qa has ended in the last 30d. To look further back: --since\n',
    )
    expect((await createCli().run('limits', 'suggest')).stdout).toBe(
      'No run has ended in the last 30d. To look further back: --since\n',
    )
    expect((await few.run('limits', 'suggest', '--quantile', '95')).exitCode).toBe(2)
    expect((await few.run('limits', 'suggest', 'developer', '--write')).exitCode).toBe(1)
    expect((await few.run('limits', 'suggest', '--write')).stderr).toMatch(/--write.*name of an agent/)
  })

  it("writes into the agent's file only when asked to", async () => {
    const cli = await pastCli(20)
    const file = cli.write(
      'project/deep/.stint/agents/developer.md',
      '---\nname: developer\nmodel: haiku # cheap\n---\nWork.\n',
    )
    const before = readFileSync(file, 'utf8')
    await cli.run('limits', 'suggest', 'developer')
    expect(readFileSync(file, 'utf8')).toBe(before)
    const { exitCode, stderr } = await cli.run('limits', 'suggest', 'developer', '--write')
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('limits.toolCalls=19')])
    expect(readFileSync(file, 'utf8')).toMatch(
      /^---\nname: developer\nmodel: haiku # cheap\nlimits:\n {2}toolCalls: 19\n {2}time: 19s\n {2}cost: \$0\.19\n---\nWork\.\n$/,
    )
    await cli.run('limits', 'suggest', 'developer', '--write', '--meter', 'modelCalls')
    expect(readFileSync(file, 'utf8')).toContain('modelCalls: 1\n')
  })
})

describe('stint limits try', () => {
  it('shows which runs would have been cut, and what that would have saved', async () => {
    const cli = await pastCli(4)
    const { stdout } = await cli.run('limits', 'try', 'developer', '--limit', 'turns=2', '--no-color')
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      '2 of 4 runs would have been cut, 2 of them among the 4 that finished their work.',
      'That would have saved $0.07 of $0.10.',
      '',
      'RUN    ENDED      CUT BY     COST   SAVED',
    ])
    expect(await cli.json('limits', 'try', 'developer', '--limit', 'turns=2')).toMatchObject({
      lost: 2,
      cut: [{ id: 'run-4', meter: 'toolCalls' }, { id: 'run-3' }],
    })
  })

  it('refuses limits that past runs cannot evaluate', async () => {
    const cli = await pastCli(1)
    expect((await cli.run('limits', 'try', 'developer', '--limit', 'depth=2')).stderr).toMatch(
      /--limit.*depth.*toolCalls/,
    )
    expect((await cli.run('limits', 'try', 'developer', '--limit', 'cost=1/day')).exitCode).toBe(2)
    expect((await cli.run('limits', 'try', 'developer')).exitCode).toBe(2)
    expect((await cli.run('limits', 'try', 'nobody', '--limit', 'turns=2')).stdout).toBe(
      'No run of nobody has ended in the last 30d. To look further back: --since\n',
    )
  })
})
