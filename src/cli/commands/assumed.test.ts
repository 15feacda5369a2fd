import { describe, expect, it } from 'vitest'
import { createCli, NOW_MS } from '../cli.fixture.ts'

/** A run whose process died with one call in flight, one that is alive, and one on another machine. */
async function createCrashed() {
  const lives: Readonly<Record<string, boolean>> = { dead: false, alive: true }
  const cli = createCli({ isHolderAlive: (holder) => lives[holder] ?? null })
  await cli.open({ id: 'run-1', owner: 'dead' }, { cost: 1 })
  await cli.open({ id: 'run-2', owner: 'alive' }, { cost: 1 })
  const reserve = (reservationId: string, scopeId: string, holder: string) =>
    cli.store.reserve({ reservationId, scopeId, holder, amounts: { cost: 300_000_000, tokens: 900 }, atMs: NOW_MS })
  await reserve('call-1', 'run-1', 'dead')
  await reserve('call-2', 'run-2', 'alive')
  await cli.open({ id: 'run-3', owner: 'elsewhere' }, { cost: 1 })
  await reserve('other-1', 'run-3', 'elsewhere')
  const costOf = async (scopeId: string) => (await cli.store.read({ scopeId, atMs: NOW_MS }))?.at(-1)?.totals.cost
  return { ...cli, costOf }
}

describe('stint assumed', () => {
  it('list charges the open calls of dead processes, and only those', async () => {
    const cli = await createCrashed()
    const { stdout, exitCode } = await cli.run('assumed', 'list')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/call-1 +run-1 +tokens 900, cost \$0\.30 +now +dead/)
    expect(stdout).not.toContain('call-2')
    expect(await cli.costOf('run-1')).toEqual({ settled: 300_000_000, reserved: 0 })
    expect(await cli.costOf('run-2')).toEqual({ settled: 0, reserved: 300_000_000 })
    expect(await cli.costOf('run-3')).toEqual({ settled: 0, reserved: 300_000_000 })
    expect(await cli.json('assumed', 'list')).toMatchObject({
      newlyAssumed: 0,
      reservations: [{ id: 'call-1', state: 'assumed', charged: { costNanoUsd: 300_000_000, tokens: 900 } }],
    })
  })

  it('settle charges the real amount of the named meters', async () => {
    const cli = await createCrashed()
    const { stdout } = await cli.run('assumed', 'settle', 'call', '--amount', 'cost=$0.02', '--reason', 'the bill')
    expect(stdout).toBe('Corrected call-1 of run-1: tokens 900, cost $0.30 → tokens 900, cost $0.02.\n')
    expect(await cli.costOf('run-1')).toEqual({ settled: 20_000_000, reserved: 0 })
    expect((await cli.run('assumed', 'list')).stdout).toMatch(/^Nothing is assumed\.\n/)
  })

  it('settle charges a cost to the phase that it was reserved in', async () => {
    const cli = await createCrashed()
    const amounts = { cost: 300_000_000, planningCost: 300_000_000 }
    const call = { reservationId: 'plan-1', scopeId: 'run-1', holder: 'dead', amounts, atMs: NOW_MS }
    await cli.store.reserve(call)
    const settled = await cli.json('assumed', 'settle', 'plan-1', '--amount', 'cost=$0.02')
    expect(settled.charged).toEqual({ costNanoUsd: 20_000_000, planningCostNanoUsd: 20_000_000 })
    const executed = await cli.json('assumed', 'settle', 'call-1', '--amount', 'cost=$0.02')
    expect(executed.charged).toMatchObject({ costNanoUsd: 20_000_000, executionCostNanoUsd: 20_000_000 })
  })

  it('settle accepts zero', async () => {
    const cli = await createCrashed()
    await cli.run('assumed', 'settle', 'call-1', '--amount', 'cost=0', '--amount', 'tokens=0')
    expect(await cli.costOf('run-1')).toEqual({ settled: 0, reserved: 0 })
  })

  it('forgive refunds the charge, and needs a reason', async () => {
    const cli = await createCrashed()
    expect(await cli.run('assumed', 'forgive', 'call-1')).toMatchObject({ exitCode: 2 })
    expect(await cli.json('assumed', 'forgive', 'call-1', '--reason', 'no record of it')).toMatchObject({
      exitCode: 0,
      before: { costNanoUsd: 300_000_000 },
      charged: {},
    })
    expect(await cli.costOf('run-1')).toEqual({ settled: 0, reserved: 0 })
  })

  it('settles nothing that a living process still has in flight', async () => {
    const cli = await createCrashed()
    const { exitCode, stderr } = await cli.run('assumed', 'settle', 'call-2', '--amount', 'cost=0')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('stint assumed list')
    expect(await cli.costOf('run-2')).toEqual({ settled: 0, reserved: 300_000_000 })
  })

  it.each([
    ['csot=1', 'did you mean "cost"'],
    ['cost', 'METER=VALUE'],
    ['time=1s', 'toolCalls, modelCalls'],
    ['cost=lots', 'cost'],
    ['tokens=1.5', 'tokens'],
  ])('refuses the amount %j', async (amount, text) => {
    const cli = await createCrashed()
    const { exitCode, stderr } = await cli.run('assumed', 'settle', 'call-1', '--amount', amount)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(text)
  })

  it('refuses a meter that is given twice', async () => {
    const cli = await createCrashed()
    const twice = ['--amount', 'cost=1', '--amount', 'cost=2']
    expect(await cli.run('assumed', 'settle', 'call-1', ...twice)).toMatchObject({ exitCode: 2 })
  })
})

describe('J5: a process that cannot be seen from here', () => {
  it('is listed with its reservations, its last heartbeat and how to declare it dead', async () => {
    const cli = await createCrashed()
    await cli.store.beat({ holder: 'elsewhere', atMs: NOW_MS - 3 * 60_000 })
    const { stdout } = await cli.run('assumed', 'list')
    expect(stdout).toMatch(/elsewhere +tokens 900, cost \$0\.30 +run-3 +3m ago/)
    expect(stdout).toContain('stint assumed declare-dead HOLDER --reason')
    expect(await cli.json('assumed', 'list')).toMatchObject({
      unseen: [{ holder: 'elsewhere', reservations: 1, scopes: ['run-3'], isBeating: false }],
    })
  })

  it('is declared dead with a reason: its reservations are charged in full, and can be corrected', async () => {
    const cli = await createCrashed()
    const { stdout, exitCode } = await cli.run('assumed', 'declare-dead', 'else', '--reason', 'the container is gone')
    expect([exitCode, stdout]).toEqual([
      0,
      'Declared dead: elsewhere. 1 reservation charged in full, 1 run left behind.\n' +
        '  other-1  run-3  tokens 900, cost $0.30\n',
    ])
    expect(await cli.costOf('run-3')).toEqual({ settled: 300_000_000, reserved: 0 })
    const late = await cli.store.settle({ reservationId: 'other-1', actual: { cost: 1 }, atMs: NOW_MS })
    expect(late.kind).toBe('corrected')
    expect((await cli.run('assumed', 'list')).stdout).not.toContain('elsewhere')
  })

  it('is not declared dead while it sends heartbeats, runs here, or is unknown', async () => {
    const cli = await createCrashed()
    await cli.store.beat({ holder: 'elsewhere', atMs: NOW_MS - 10_000 })
    const refusal = async (holder: string) => {
      const { exitCode, stderr } = await cli.run('assumed', 'declare-dead', holder, '--reason', 'why not')
      return `${exitCode} ${stderr}`
    }
    expect(await refusal('elsewhere')).toMatch(/^2 .*silent for a minute/)
    expect(await refusal('alive')).toMatch(/^2 .*this one runs on this machine: end its process/)
    expect(await refusal('nobody')).toMatch(/^2 .*`stint assumed list` shows/)
    expect(await cli.costOf('run-3')).toEqual({ settled: 0, reserved: 300_000_000 })
    expect((await cli.run('assumed', 'list')).stdout).toMatch(/elsewhere .*\(alive\)/)
  })

  it('is counted by doctor before and after it is charged, like in assumed list', async () => {
    const cli = await createCrashed()
    const before = (await cli.run('doctor')).stdout
    expect(before).toContain('assumed: 1 reservation of dead processes, to be charged in full')
    await cli.run('assumed', 'list')
    const after = (await cli.run('doctor')).stdout
    expect(after).toContain('assumed: 1 reservation charged at an assumed cost')
    expect(after).not.toContain('to be charged in full')
  })

  it('is named by doctor while silent, and counts as alive while it sends heartbeats', async () => {
    const cli = await createCrashed()
    const silent = (await cli.run('doctor')).stdout
    expect(silent).toContain(
      'silent: no heartbeat for a minute, and not visible from here: elsewhere (1 reservation, 1 run)',
    )
    expect(silent).toContain('stint assumed declare-dead HOLDER --reason')
    await cli.store.beat({ holder: 'elsewhere', atMs: NOW_MS - 10_000 })
    const beating = (await cli.run('doctor')).stdout
    expect(beating).toContain('processes: 2 alive, 1 dead, 0 unknown')
    expect(beating).not.toContain('silent:')
  })
})
