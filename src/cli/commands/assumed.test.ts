import { describe, expect, it } from 'vitest'
import { createCli, NOW_MS } from '../cli.fixture.ts'

/** A run whose process died with one call in flight, beside one that lives and one on another machine. */
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
  it('list charges what the dead left open, and only that', async () => {
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

  it('settle charges the truth for the meters that are named', async () => {
    const cli = await createCrashed()
    const { stdout } = await cli.run('assumed', 'settle', 'call', '--amount', 'cost=$0.02', '--reason', 'the bill')
    expect(stdout).toBe('Corrected call-1 of run-1: tokens 900, cost $0.30 → tokens 900, cost $0.02.\n')
    expect(await cli.costOf('run-1')).toEqual({ settled: 20_000_000, reserved: 0 })
    expect((await cli.run('assumed', 'list')).stdout).toBe('Nothing is assumed.\n')
  })

  it('settle charges a cost on the phase that it was reserved in', async () => {
    const cli = await createCrashed()
    const amounts = { cost: 300_000_000, planningCost: 300_000_000 }
    const call = { reservationId: 'plan-1', scopeId: 'run-1', holder: 'dead', amounts, atMs: NOW_MS }
    await cli.store.reserve(call)
    const settled = await cli.json('assumed', 'settle', 'plan-1', '--amount', 'cost=$0.02')
    expect(settled.charged).toEqual({ costNanoUsd: 20_000_000, planningCostNanoUsd: 20_000_000 })
    const executed = await cli.json('assumed', 'settle', 'call-1', '--amount', 'cost=$0.02')
    expect(executed.charged).toMatchObject({ costNanoUsd: 20_000_000, executionCostNanoUsd: 20_000_000 })
  })

  it('settle takes nothing as an amount', async () => {
    const cli = await createCrashed()
    await cli.run('assumed', 'settle', 'call-1', '--amount', 'cost=0', '--amount', 'tokens=0')
    expect(await cli.costOf('run-1')).toEqual({ settled: 0, reserved: 0 })
  })

  it('forgive gives it back, and needs a reason', async () => {
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

  it('refuses one meter twice', async () => {
    const cli = await createCrashed()
    const twice = ['--amount', 'cost=1', '--amount', 'cost=2']
    expect(await cli.run('assumed', 'settle', 'call-1', ...twice)).toMatchObject({ exitCode: 2 })
  })
})
