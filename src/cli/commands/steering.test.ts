import { describe, expect, it } from 'vitest'
import { resolveLimits } from '../../policy/index.ts'
import { createCli, NOW_MS } from '../cli.fixture.ts'

const statusOf = async (cli: ReturnType<typeof createCli>, scopeId: string) =>
  (await cli.store.read({ scopeId, atMs: NOW_MS }))?.at(-1)?.status

describe('stint pause', () => {
  it('pauses a scope of another process, and records who and why', async () => {
    const cli = createCli()
    await cli.open({ id: 'run-1' }, { toolCalls: 5 })
    const { exitCode, stdout } = await cli.run('pause', 'run-1', '--reason', 'a look first')
    expect(exitCode).toBe(0)
    expect(stdout).toBe('Paused run-1. To resume it: stint resume run-1\n')
    const [scope] = (await cli.store.read({ scopeId: 'run-1', atMs: NOW_MS }))!
    expect(scope).toMatchObject({ status: 'paused', pause: { reason: 'a look first', by: 'ann', atMs: NOW_MS } })
  })

  it('says so when it was already paused, and keeps that pause', async () => {
    const cli = createCli()
    await cli.open({ id: 'run-1' })
    await cli.run('pause', 'run-1', '--by', 'ben')
    expect(await cli.json('pause', 'run-1')).toMatchObject({ exitCode: 0, isNew: false, pause: { by: 'ben' } })
  })

  it('refuses an ended scope', async () => {
    const cli = createCli()
    await cli.open({ id: 'run-1' })
    await cli.store.close({ scopeId: 'run-1', status: 'completed', atMs: NOW_MS })
    expect(await cli.run('pause', 'run-1')).toMatchObject({ exitCode: 1, stdout: '' })
  })
})

describe('stint stop', () => {
  it('ends a run and everything below it, the deepest first', async () => {
    const cli = createCli()
    await cli.open({ id: 'run-1' })
    await cli.open({ id: 'child' }, {}, 'run-1')
    await cli.open({ id: 'grandchild' }, {}, 'child')
    const { stopped, status } = await cli.json('stop', 'run-1', '--reason', 'no longer needed')
    expect({ stopped, status }).toEqual({ stopped: ['grandchild', 'child', 'run-1'], status: 'stopped' })
    expect(await statusOf(cli, 'grandchild')).toBe('stopped')
    expect(await statusOf(cli, 'run-1')).toBe('stopped')
    expect(await cli.run('stop', 'run-1')).toMatchObject({ exitCode: 1 })
  })

  it('refuses to end a budget, and says what to do instead', async () => {
    const cli = createCli()
    await cli.open({ id: 'team:core', kind: 'lasting', owner: null })
    const { exitCode, stderr } = await cli.run('stop', 'team:core')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('stint pause team:core')
    expect(await statusOf(cli, 'team:core')).toBe('running')
  })
})

describe('stint resume', () => {
  it('wakes a living owner', async () => {
    const cli = createCli()
    await cli.open({ id: 'run-1' })
    await cli.run('pause', 'run-1')
    expect(await cli.json('resume', 'run-1')).toMatchObject({ exitCode: 0, status: 'running', isOwnerAlive: true })
    expect(await statusOf(cli, 'run-1')).toBe('running')
  })

  it('prints the command to run when the owner is dead, and keeps the pause', async () => {
    const cli = createCli({ isHolderAlive: () => false })
    await cli.open({ id: 'run-1' })
    await cli.run('pause', 'run-1')
    const { exitCode, stderr } = await cli.run('resume', 'run-1')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('governor.open({ id: "run-1"')
    expect(await statusOf(cli, 'run-1')).toBe('paused')
  })

  it('resumes when it cannot tell whether the owner is alive, and says so', async () => {
    const cli = createCli({ isHolderAlive: () => null })
    await cli.open({ id: 'run-1' })
    await cli.run('pause', 'run-1')
    const { exitCode, stderr } = await cli.run('resume', 'run-1')
    expect(exitCode).toBe(0)
    expect(stderr).toContain('Cannot see from here whether its process is alive')
  })

  it('refuses a scope that is not paused, and one that waits for an answer', async () => {
    const cli = createCli()
    await cli.open({ id: 'run-1' })
    expect((await cli.run('resume', 'run-1')).stderr).toContain('is running, not paused')
    await cli.store.pause({ scopeId: 'run-1', reason: 'asks', requestId: 'ask-1', atMs: NOW_MS })
    const { exitCode, stderr } = await cli.run('resume', 'run-1')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('stint approve ask-1')
  })

  it('names the limit that will pause it again', async () => {
    const cli = createCli()
    await cli.open({ id: 'run-1' }, { toolCalls: 0, onLimit: 'pause' })
    const call = { reservationId: 'r', scopeId: 'run-1', amounts: { toolCalls: 1 }, holder: 'holder-1', atMs: NOW_MS }
    const outcome = await cli.store.reserve(call)
    if (outcome.kind !== 'breached') throw new Error(outcome.kind)
    await cli.store.pause({ scopeId: 'run-1', reason: 'limit', breaches: outcome.breaches, atMs: NOW_MS })
    expect((await cli.run('resume', 'run-1')).stderr).toContain('stint raise run-1 --limit toolCalls=…')
  })
})

describe('stint raise', () => {
  it('changes the named limits, up and down, and keeps the others and their actions', async () => {
    const cli = createCli()
    await cli.open({ id: 'run-1' }, { toolCalls: { max: 5, action: 'ask' }, cost: 1, tokens: '10k' })
    const { exitCode, stdout } = await cli.run('raise', 'run-1', '--limit', 'turns=50', '--limit', 'cost=0.5:warn')
    expect(exitCode).toBe(0)
    expect(stdout).toBe('The limits of run-1 are now:\n  turns 50 (ask)\n  tokens 10k\n  cost $0.50 (warn)\n')
    const [scope] = (await cli.store.read({ scopeId: 'run-1', atMs: NOW_MS }))!
    expect(scope?.limits[0]?.limit.source).toMatchObject({ layer: 'call', flag: '--limit turns=50' })
  })

  it('removes a limit with unlimited', async () => {
    const cli = createCli()
    await cli.open({ id: 'run-1' }, { toolCalls: 5, cost: 1 })
    const { limits } = (await cli.json('raise', 'run-1', '--limit', 'cost=unlimited')) as unknown as {
      limits: unknown[]
    }
    expect(limits).toMatchObject([{ meter: 'toolCalls', limit: 5 }])
  })

  it('raises nothing above a ceiling of the config, and says so', async () => {
    const cli = createCli()
    cli.write('project/stint.config.yaml', 'ceilings: { cost: 2 }\n')
    await cli.open({ id: 'run-1' }, { cost: 1 })
    const { stdout, stderr } = await cli.run('raise', 'run-1', '--limit', 'cost=10')
    expect(stdout).toContain('cost $2.00')
    expect(stderr).toBe('stint: cost: $10.00 was requested, but a ceiling allows $2.00.\n')
  })

  it('J3: raises nothing above a ceiling that the run was opened with, whatever the config here says', async () => {
    const cli = createCli()
    cli.write('project/stint.config.yaml', 'ceilings: { cost: 50 }\n')
    const { ceilings } = resolveLimits([{ layer: 'ceiling', limits: { cost: 2, tokens: '1m' }, file: 'other.yaml' }])
    await cli.open({ id: 'run-1', ceilings }, { cost: 1, tokens: '10k' })
    const { stderr } = await cli.run('raise', 'run-1', '--limit', 'cost=10', '--limit', 'tokens=unlimited')
    expect(stderr).toBe('stint: cost: $10.00 was requested, but a ceiling allows $2.00.\n')
    const explained = (await cli.run('explain', 'run-1')).stdout
    expect(explained).toMatch(/cost +\$2\.00/)
    expect(explained).toMatch(/tokens +1m .*ceiling +tokens in other\.yaml/)
  })

  it('keeps the thresholds and the time zone of a limit, and the ceiling when the limit is removed', async () => {
    const cli = createCli()
    cli.write('project/stint.config.yaml', 'ceilings: { tokens: 1m }\n')
    const day = { max: 5, per: 'day', timeZone: 'Europe/Berlin', nearing: 0.5 } as const
    await cli.open({ id: 'run-1' }, { cost: day, tokens: '10k' })
    const flags = ['--limit', 'cost=6/day', '--limit', 'tokens=unlimited']
    const { limits } = (await cli.json('raise', 'run-1', ...flags)) as unknown as { limits: unknown[] }
    expect(limits).toMatchObject([
      { meter: 'tokens', limit: 1_000_000, layer: 'ceiling' },
      { meter: 'cost', limit: 6_000_000_000, timeZone: 'Europe/Berlin', nearing: [0.5] },
    ])
  })

  it('G3: refuses an unknown limit with a suggestion before anything is opened', async () => {
    const cli = createCli()
    const { exitCode, stderr } = await cli.run('raise', 'run-1', '--limit', 'mesage=24')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Did you mean "message"?')
    expect(cli.opened).toEqual([])
  })

  it('needs a limit', async () => {
    const { exitCode, stderr } = await createCli().run('raise', 'run-1')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('--limit')
  })

  it('retries after a concurrent change', async () => {
    const cli = createCli()
    await cli.open({ id: 'run-1' }, { toolCalls: 5, cost: 1 })
    const { setLimits } = cli.store
    let isFirst = true
    cli.store.setLimits = async (request) => {
      if (isFirst) {
        isFirst = false
        const limits = request.limits.filter(({ meter }) => meter !== 'toolCalls')
        await setLimits({ scopeId: 'run-1', limits, atMs: NOW_MS })
      }
      return setLimits(request)
    }
    const { limits } = (await cli.json('raise', 'run-1', '--limit', 'cost=2')) as unknown as { limits: unknown[] }
    expect(limits).toMatchObject([{ meter: 'cost', limit: 2_000_000_000 }])
  })
})
