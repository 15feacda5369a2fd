import { describe, expect, it } from 'vitest'
import { breachIn, createGovernorFixture, mustReserve } from '../fixtures/governor.fixture.ts'
import { createPair } from '../fixtures/governor-pair.fixture.ts'
import type { Scope } from '../governor.ts'

describe('setLimits', () => {
  it('D3: a refusal changes nothing; after a raise the same call runs, and the threshold is reported again', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 5 } })
    const read = () => run.callTool({ name: 'read' }, () => 'text')
    for (let call = 0; call < 5; call++) await read()
    expect(await read()).toMatchObject({ kind: 'refused' })
    expect((await run.usage()).toolCalls).toMatchObject({ settled: 5, reserved: 0 })
    await run.setLimits({ toolCalls: 10 }, { by: 'ann' })
    expect(await emitted('limit_raised')).toMatchObject([{ limit_before: 5, limit: 10, used: 5, by: 'ann' }])
    for (let call = 5; call < 10; call++) expect(await read()).toMatchObject({ value: 'text' })
    expect((await emitted('limit_nearing')).map((event) => 'used' in event && event.used)).toEqual([4, 8])
    expect(await read()).toMatchObject({ kind: 'refused', breach: { limit: 10 } })
  })

  it('E8: lowering a limit below what is used stops the scope, with a message that says so', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100, toolCalls: 10 } })
    await (await mustReserve(run, { tokens: 50 })).settle()
    await run.setLimits({ tokens: 40 })
    const refused = await run.callTool({ name: 'read' }, () => 1)
    expect(refused).toMatchObject({ kind: 'refused', breach: { meter: 'tokens', limit: 40, settled: 50 } })
    expect(breachIn(refused)?.message).toContain('is used up: 50 of 40 used')
    expect(await emitted('limit_exceeded')).toHaveLength(1)
    await run.close()
    expect(run.status()).toBe('limit-reached')
  })

  it('E8: lowering a deadline below what is used stops the scope immediately', async () => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { time: '10m' } })
    await clock.advance(60_000)
    await run.setLimits({ time: '30s' })
    expect(run.signal.aborted).toBe(true)
  })

  it('E8: lowering concurrency, spawns or depth stops nothing that is running', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { concurrency: 5, spawns: 5, depth: 3 } })
    const children = await run.openAll(['a', 'b', 'c'].map((name) => ({ name })))
    await run.setLimits({ concurrency: 1, spawns: 1, depth: 0 })
    for (const child of children) expect(await child.callTool({ name: 'read' }, () => 1)).toMatchObject({ value: 1 })
    await expect(run.open({ name: 'd', waitMs: 0 })).rejects.toMatchObject({ code: 'limit_exceeded' })
    expect(run.status()).toBe('running')
  })

  it('removing a limit is reported, and it stops nothing any more', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1 } })
    await run.callTool({ name: 'read' }, () => 1)
    await run.callTool({ name: 'read' }, () => 2)
    await run.setLimits({ toolCalls: null })
    expect(await run.callTool({ name: 'read' }, () => 3)).toMatchObject({ value: 3 })
    expect(await emitted('limit_raised')).toMatchObject([{ limit_kind: 'toolCalls', limit_before: 1, limit: null }])
  })

  it('raising a lasting budget lets the run that it had stopped continue', async () => {
    const { governor } = createGovernorFixture()
    const team = await governor.budget('team:core', { limits: { toolCalls: 1 } })
    const run = await governor.open({ name: 'run', within: team })
    await run.callTool({ name: 'read' }, () => 1)
    expect(await run.callTool({ name: 'read' }, () => 2)).toMatchObject({ breach: { scope: 'team:core' } })
    await team.setLimits({ toolCalls: 2 })
    expect(await run.callTool({ name: 'read' }, () => 2)).toMatchObject({ value: 2 })
  })
})

describe('a limit that only warns', () => {
  it.each([
    ['toolCalls', 5, [6, 7, 8]],
    ['max_turns', 1, [2, 3, 4]],
  ])('is reported once for each fact, even if one call is a fifth of it: %s %i', async (meter, max, used) => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { [meter]: max }, onLimit: 'warn' })
    for (let call = 0; call < max + 3; call++) await run.callTool({ name: 'read' }, () => call)
    expect((await emitted('agent_warning')).map((event) => 'used' in event && event.used)).toEqual(used)
    expect(await emitted('limit_exceeded')).toHaveLength(1)
  })
})

describe('a raise to the current value', () => {
  it('changes nothing, and reports nothing', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 5, time: '10m' } })
    for (let call = 0; call < 4; call++) await run.callTool({ name: 'read' }, () => call)
    const before = run.explain()
    for (let time = 0; time < 2; time++) await run.setLimits({ toolCalls: 5, time: '10m' }, { by: 'ann' })
    expect(run.explain()).toEqual(before)
    await run.setLimits({ toolCalls: 10 }, { by: 'ann' })
    await run.setLimits({ toolCalls: 10 }, { by: 'ann' })
    expect(await emitted('limit_raised')).toMatchObject([{ limit_before: 5, limit: 10 }])
    await run.callTool({ name: 'read' }, () => 5)
    expect(await emitted('limit_nearing')).toHaveLength(1)
  })

  it('of a preset makes it a person’s limit, and reports nothing', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', preset: 'developer' })
    await run.setLimits({ cost: 1 })
    expect(run.explain().find(({ meter }) => meter === 'cost')).toMatchObject({ layer: 'call' })
    expect(await emitted('limit_raised')).toEqual([])
  })
})

describe('a raise after a clock has run out', () => {
  const read = (run: Scope) => run.callTool({ name: 'read' }, ({ signal }) => signal.aborted)
  const CLOCKS = ['time', 'wallTime', 'idleTime'] as const

  it.each(CLOCKS)('lets the scope continue until the new limit: %s', async (meter) => {
    const { governor, clock, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { [meter]: '10s' } })
    const { signal } = run
    await clock.advance(10_000)
    expect([signal.aborted, (await read(run)).kind]).toEqual([true, 'refused'])
    await run.setLimits({ [meter]: '20s' })
    expect((await run.usage())[meter]).toMatchObject({ limit: 20_000, settled: 10_000, remaining: 10_000 })
    expect(await read(run)).toMatchObject({ value: false })
    expect([signal.aborted, run.signal.aborted]).toEqual([true, false])
    await clock.advance(20_000)
    expect(await read(run)).toMatchObject({ kind: 'refused', breach: { meter, limit: 20_000 } })
    expect((await emitted('limit_exceeded')).map((event) => 'limit' in event && event.limit)).toEqual([10_000, 20_000])
    await run.close()
    expect(run.status()).toBe(meter === 'wallTime' ? 'timed-out' : 'limit-reached')
  })

  it('if too low again, halts the scope in the name of the new limit', async () => {
    const { governor, clock, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { time: 60 } })
    await clock.advance(120)
    await run.setLimits({ time: 80 })
    const refused = await read(run)
    expect(refused).toMatchObject({ kind: 'refused', breach: { limit: 80, settled: 120 } })
    expect(breachIn(refused)?.message).toContain('change limits.time in the call of scope.setLimits')
    expect(run.signal.aborted).toBe(true)
    expect((await emitted('limit_exceeded')).map((event) => 'limit' in event && event.limit)).toEqual([60, 80])
  })

  it('does not continue a scope that another clock has stopped as well, and reports that one once', async () => {
    const { governor, clock, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { time: '10s', wallTime: '10s' } })
    await clock.advance(10_000)
    await run.setLimits({ time: '20s' })
    expect(await read(run)).toMatchObject({ kind: 'refused', breach: { meter: 'wallTime', limit: 10_000 } })
    expect(run.signal.aborted).toBe(true)
    await run.setLimits({ wallTime: '20s' })
    expect(await read(run)).toMatchObject({ value: false })
    expect(await emitted('limit_exceeded')).toHaveLength(2)
  })

  it('continues its children, except one whose own time is up', async () => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { time: '10s' } })
    const [child, late] = await run.openAll([{ name: 'child' }, { name: 'late', limits: { time: '5s' } }])
    await clock.advance(10_000)
    expect([child!.signal.aborted, late!.signal.aborted]).toEqual([true, true])
    await late!.setLimits({ time: '15s' })
    expect([late!.signal.aborted, (await read(late!)).kind]).toEqual([true, 'refused'])
    await late!.setLimits({ time: '5s' })
    await run.setLimits({ time: '20s' })
    expect(await read(child!)).toMatchObject({ value: false })
    expect(await read(late!)).toMatchObject({ kind: 'refused', breach: { scope: late!.id, limit: 5_000 } })
    await late!.setLimits({ time: '15s' })
    expect(await read(late!)).toMatchObject({ value: false })
  })

  it('during the closing span lets it continue working, and close at the new limit', async () => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { time: '60s' }, wrapUp: true })
    await clock.advance(55_000)
    expect(await read(run)).toMatchObject({ kind: 'refused', breach: { limit: 60_000 } })
    await run.setLimits({ time: '120s' })
    expect(await read(run)).toMatchObject({ value: false })
    await clock.advance(54_000)
    expect(await read(run)).toMatchObject({ kind: 'refused', breach: { limit: 120_000 } })
  })

  it('by another process continues it too', async () => {
    const { ours, theirs, clock } = createPair()
    const run = await ours.open({ name: 'run', limits: { time: '10s' } })
    await clock.advance(10_000)
    await (await theirs.find(run.id))!.setLimits({ time: '1h' })
    await clock.advance(1_000)
    expect(await read(run)).toMatchObject({ value: false })
  })
})

describe('setLimits changes only what is written', () => {
  it('the action, if one is written, and a limit that now only warns stops nothing any more', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1 } })
    await run.callTool({ name: 'read' }, () => 1)
    expect(await run.callTool({ name: 'read' }, () => 2)).toMatchObject({ kind: 'refused' })
    await run.setLimits({ toolCalls: { max: 1, action: 'warn' } })
    expect(run.explain()).toMatchObject([{ meter: 'toolCalls', max: 1, action: 'warn' }])
    expect(await run.callTool({ name: 'read' }, () => 2)).toMatchObject({ value: 2 })
  })

  it('and keeps action, thresholds and time zone otherwise', async () => {
    const { governor, emitted } = createGovernorFixture()
    const cost = { max: 1, per: 'day', timeZone: 'Asia/Tokyo', action: 'pause', nearing: 0.5 } as const
    const run = await governor.open({
      name: 'run',
      limits: { cost, toolCalls: { max: 5, action: 'warn', nearing: 0.5 } },
    })
    await run.setLimits({ toolCalls: 10, cost: { max: 2, per: 'day' } })
    expect(run.explain()).toMatchObject([
      { meter: 'toolCalls', max: 10, action: 'warn' },
      { meter: 'cost', max: 2_000_000_000, action: 'pause', timeZone: 'Asia/Tokyo' },
    ])
    for (let call = 0; call < 5; call++) await run.callTool({ name: 'read' }, () => call)
    expect(await emitted('limit_nearing')).toMatchObject([{ used: 5, limit: 10, threshold: 0.5 }])
  })

  it('a new limit has its scope’s action, and onLimit applies to the limits next to it', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', onLimit: 'pause' })
    await run.setLimits({ toolCalls: 5 })
    expect(run.explain()).toMatchObject([{ action: 'pause' }])
    await run.setLimits({ toolCalls: 6, onLimit: 'ask' })
    expect(run.explain()).toMatchObject([{ max: 6, action: 'ask' }])
    await expect(run.setLimits({ onLimit: 'warn' })).rejects.toMatchObject({ code: 'invalid_option' })
  })

  it('an existing budget keeps its limits, and gains those for meters without one', async () => {
    const { governor } = createGovernorFixture()
    const team = await governor.budget('team:core', { limits: { toolCalls: 5 } })
    await governor.budget('team:core', { limits: { toolCalls: 6, tokens: 100 } })
    expect(team.explain()).toMatchObject([
      { meter: 'toolCalls', max: 5 },
      { meter: 'tokens', max: 100, place: 'limits.tokens in the call of governor.budget' },
    ])
    await governor.budget('team:core', { limits: { toolCalls: null } })
    expect(team.explain()).toHaveLength(2)
  })

  it('and a refusal names the call that wrote the limit', async () => {
    const { governor } = createGovernorFixture()
    const team = await governor.budget('team:core', { limits: { toolCalls: 5 } })
    expect(team.explain()).toMatchObject([{ place: 'limits.toolCalls in the call of governor.budget' }])
    await team.setLimits({ toolCalls: 0 })
    const outcome = await team.reserve({ toolCalls: 1 })
    expect(breachIn(outcome)?.message).toContain('change limits.toolCalls in the call of scope.setLimits')
  })
})
