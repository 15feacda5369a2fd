import { describe, expect, it } from 'vitest'
import { createCli, NOW_MS } from '../cli.fixture.ts'

async function createAsking(pool = 100) {
  const cli = createCli()
  await cli.open({ id: 'team', kind: 'lasting', owner: null }, { toolCalls: pool })
  await cli.open({ id: 'run-1', name: 'triage' }, { toolCalls: { max: 5, action: 'ask' } }, 'team')
  await cli.askForMore('run-1', 'two files are left')
  const maxOf = async () => (await cli.store.read({ scopeId: 'run-1', atMs: NOW_MS }))?.at(-1)?.limits[0]?.limit.max
  return { ...cli, maxOf }
}

describe('stint requests', () => {
  it('shows who asks for how much, until when and why; answered ones with --all', async () => {
    const cli = await createAsking()
    const { stdout } = await cli.run('requests')
    expect(stdout).toMatch(/ask-1 +team\/triage +toolCalls +5 of 5 +10 +open +in 30m +two files are left/)
    await cli.run('deny', 'ask-1')
    expect((await cli.run('requests')).stdout).toBe('No open requests.\n')
    expect(await cli.json('requests', '--all')).toMatchObject({ requests: [{ status: 'denied', by: 'ann' }] })
  })
})

describe('stint approve', () => {
  it('grants the requested amount, and records who did', async () => {
    const cli = await createAsking()
    const { exitCode, stdout } = await cli.run('approve', 'ask', '--by', 'ben')
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'Approved: the toolCalls limit of team/triage is raised by 10.\n',
    })
    expect(await cli.maxOf()).toBe(15)
    expect(await cli.json('requests', '--all')).toMatchObject({ requests: [{ by: 'ben', granted: 10 }] })
  })

  it('grants exactly the amount that `stint requests` showed', async () => {
    const cli = createCli()
    await cli.open({ id: 'run-1', name: 'triage' }, { cost: { max: 1, action: 'ask' } })
    const more = { settled: 1_000_000_000, expiresAtMs: NOW_MS + 1_800_000, atMs: NOW_MS, reason: 'more' }
    for (const [requestId, asked, shown] of [
      ['round', 200_000_000, '$0.20'],
      ['odd', 123_456_789, '$0.123456789'],
    ] as const) {
      await cli.store.ask({ requestId, scopeId: 'run-1', key: 'run-1 cost', asked, ...more })
      expect((await cli.run('requests')).stdout).toContain(` ${shown} `)
      expect((await cli.run('approve', requestId)).stdout).toBe(
        `Approved: the cost limit of triage is raised by ${shown}.\n`,
      )
    }
  })

  it('grants a part of it', async () => {
    const cli = await createAsking()
    await cli.run('approve', 'ask-1', '--amount', '3')
    expect(await cli.maxOf()).toBe(8)
  })

  it('grants no more than the scopes above have left, and exits with 1 if they have nothing', async () => {
    const some = await createAsking(8)
    expect(await some.json('approve', 'ask-1')).toMatchObject({ exitCode: 0, request: { granted: 3 } })
    const none = await createAsking(5)
    const { exitCode, stdout } = await none.run('approve', 'ask-1')
    expect(exitCode).toBe(1)
    expect(stdout).toContain('Not approved')
    expect(await none.maxOf()).toBe(5)
  })

  it('answers only once', async () => {
    const cli = await createAsking()
    await cli.run('approve', 'ask-1')
    const { exitCode, stderr } = await cli.run('deny', 'ask-1')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('approved by ann')
    expect(await cli.maxOf()).toBe(15)
  })

  it.each(['lots', '1/day', '-1', '0', '1.5'])('refuses the amount %j and changes nothing', async (amount) => {
    const cli = await createAsking()
    expect(await cli.run('approve', 'ask-1', '--amount', amount)).toMatchObject({ exitCode: 2 })
    expect(await cli.maxOf()).toBe(5)
  })

  it('refuses an unknown request', async () => {
    const cli = await createAsking()
    const { exitCode, stderr } = await cli.run('approve', 'nobody')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('stint requests')
  })
})
