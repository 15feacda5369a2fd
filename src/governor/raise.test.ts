import { describe, expect, it } from 'vitest'
import { createGovernorFixture, mustReserve } from './governor.fixture.ts'

describe('raise', () => {
  it('D3: refused at the cap changes nothing; after a raise the same call runs, and the threshold is told anew', async () => {
    const { governor, told } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 5 } })
    const read = () => run.callTool({ name: 'read' }, () => 'text')
    for (let call = 0; call < 5; call++) await read()
    expect(await read()).toMatchObject({ granted: false })
    expect((await run.usage()).toolCalls).toMatchObject({ settled: 5, reserved: 0 })
    await run.raise({ toolCalls: 10 }, { by: 'ann' })
    expect(await told('limit_raised')).toMatchObject([{ limit_before: 5, limit: 10, used: 5, by: 'ann' }])
    for (let call = 5; call < 10; call++) expect(await read()).toMatchObject({ value: 'text' })
    expect((await told('limit_nearing')).map((event) => 'used' in event && event.used)).toEqual([4, 8])
    expect(await read()).toMatchObject({ granted: false, breach: { limit: 10 } })
  })

  it('E8: lowering below what is used stops it, with a message that says so', async () => {
    const { governor, told } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100, toolCalls: 10 } })
    await (await mustReserve(run, { tokens: 50 })).settle()
    await run.raise({ tokens: 40 })
    const refused = await run.callTool({ name: 'read' }, () => 1)
    expect(refused).toMatchObject({ granted: false, breach: { meter: 'tokens', limit: 40, settled: 50 } })
    expect(refused.breach?.message).toContain('is used up: 50 of 40 used')
    expect(await told('limit_exceeded')).toHaveLength(1)
    await run.close()
    expect(run.status()).toBe('limit-reached')
  })

  it('E8: lowering a deadline below what is used stops it at once', async () => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { time: '10m' } })
    await clock.advance(60_000)
    await run.raise({ time: '30s' })
    expect(run.signal.aborted).toBe(true)
  })

  it('E8: lowering concurrency, spawns or depth stops nothing that runs', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { concurrency: 5, spawns: 5, depth: 3 } })
    const children = await run.openAll(['a', 'b', 'c'].map((name) => ({ name })))
    await run.raise({ concurrency: 1, spawns: 1, depth: 0 })
    for (const child of children) expect(await child.callTool({ name: 'read' }, () => 1)).toMatchObject({ value: 1 })
    await expect(run.open({ name: 'd', waitMs: 0 })).rejects.toMatchObject({ code: 'limit_exceeded' })
    expect(run.status()).toBe('running')
  })

  it('a limit that is taken away is told, and stops nothing any more', async () => {
    const { governor, told } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1 } })
    await run.callTool({ name: 'read' }, () => 1)
    await run.callTool({ name: 'read' }, () => 2)
    await run.raise({ toolCalls: null })
    expect(await run.callTool({ name: 'read' }, () => 3)).toMatchObject({ value: 3 })
    expect(await told('limit_raised')).toMatchObject([{ limit_kind: 'toolCalls', limit_before: 1, limit: null }])
  })

  it('of a lasting budget lets the run go on that it had stopped', async () => {
    const { governor } = createGovernorFixture()
    const team = await governor.budget('team:core', { limits: { toolCalls: 1 } })
    const run = await governor.open({ name: 'run', within: team })
    await run.callTool({ name: 'read' }, () => 1)
    expect(await run.callTool({ name: 'read' }, () => 2)).toMatchObject({ breach: { scope: 'team:core' } })
    await governor.budget('team:core', { limits: { toolCalls: 2 } })
    expect(await run.callTool({ name: 'read' }, () => 2)).toMatchObject({ value: 2 })
  })

  it('after the time was up raises nothing from the dead', async () => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { time: '10s' } })
    await clock.advance(10_000)
    await run.raise({ time: '20s' })
    expect(await run.callTool({ name: 'read' }, () => 1)).toMatchObject({ granted: false })
  })
})

describe('raise changes of a limit what is written of it', () => {
  it('its action, where one is written, and a limit that now only warns stops nothing any more', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1 } })
    await run.callTool({ name: 'read' }, () => 1)
    expect(await run.callTool({ name: 'read' }, () => 2)).toMatchObject({ granted: false })
    await run.raise({ toolCalls: { max: 1, action: 'warn' } })
    expect(run.explain()).toMatchObject([{ meter: 'toolCalls', max: 1, action: 'warn' }])
    expect(await run.callTool({ name: 'read' }, () => 2)).toMatchObject({ value: 2 })
  })

  it('and keeps its action, its thresholds and its time zone where none is', async () => {
    const { governor, told } = createGovernorFixture()
    const cost = { max: 1, per: 'day', timeZone: 'Asia/Tokyo', action: 'pause', nearing: 0.5 } as const
    const run = await governor.open({
      name: 'run',
      limits: { cost, toolCalls: { max: 5, action: 'warn', nearing: 0.5 } },
    })
    await run.raise({ toolCalls: 10, cost: { max: 2, per: 'day' } })
    expect(run.explain()).toMatchObject([
      { meter: 'toolCalls', max: 10, action: 'warn' },
      { meter: 'cost', max: 2_000_000_000, action: 'pause', timeZone: 'Asia/Tokyo' },
    ])
    for (let call = 0; call < 5; call++) await run.callTool({ name: 'read' }, () => call)
    expect(await told('limit_nearing')).toMatchObject([{ used: 5, limit: 10, threshold: 0.5 }])
  })

  it('a new limit has the action of its scope, and onLimit is for the limits beside it', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', onLimit: 'pause' })
    await run.raise({ toolCalls: 5 })
    expect(run.explain()).toMatchObject([{ action: 'pause' }])
    await run.raise({ toolCalls: 6, onLimit: 'ask' })
    expect(run.explain()).toMatchObject([{ max: 6, action: 'ask' }])
    await expect(run.raise({ onLimit: 'warn' })).rejects.toMatchObject({ code: 'invalid_option' })
  })

  it('a refusal names the call that wrote the limit', async () => {
    const { governor } = createGovernorFixture()
    const team = await governor.budget('team:core', { limits: { toolCalls: 5 } })
    expect(team.explain()).toMatchObject([{ place: 'limits.toolCalls in the call of governor.budget' }])
    await governor.budget('team:core', { limits: { toolCalls: 6 } })
    expect(team.explain()).toMatchObject([{ max: 6, place: 'limits.toolCalls in the call of governor.budget' }])
    await team.raise({ toolCalls: 0 })
    const outcome = await team.reserve({ toolCalls: 1 })
    expect(outcome.breach?.message).toContain('change limits.toolCalls in the call of scope.raise')
  })
})
