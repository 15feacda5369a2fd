import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { isLimitExceeded, isStintError } from '../core/index.ts'
import { createGovernor } from './create-governor.ts'
import { createGovernorFixture, isPending, mustReserve, settleDown } from './fixtures/governor.fixture.ts'

describe('a governor without options', () => {
  it('charges what a run spends', async () => {
    const governor = createGovernor()
    const run = await governor.open({ name: 'triage', limits: { toolCalls: 25, cost: 1, time: '10m' } })
    const outcome = await run.reserve({ toolCalls: 1 })
    if (outcome.kind === 'granted') await outcome.settle({ toolCalls: 1 })
    expect((await run.usage()).toolCalls.remaining).toBe(24)
    await governor.close()
  })

  it('A4, A17: has no unwritten limits, whatever the scope is called', async () => {
    const { governor } = createGovernorFixture()
    const usage = await (await governor.open({ name: 'developer' })).usage()
    expect(Object.values(usage).map(({ limit, remaining }) => [limit, remaining])).toEqual(
      Object.keys(usage).map(() => [null, null]),
    )
    const limited = await (await governor.open({ name: 'run', limits: { toolCalls: 5 } })).usage()
    expect([limited.toolCalls.limit, limited.tokens.limit, limited.time.limit]).toEqual([5, null, null])
  })

  it('has the limits of a preset on request, and written limits override them', async () => {
    const { governor } = createGovernorFixture()
    const usage = await (await governor.open({ name: 'run', preset: 'qa', limits: { toolCalls: 3 } })).usage()
    expect([usage.toolCalls.limit, usage.time.limit, usage.cost.limit]).toEqual([3, 120_000, 500_000_000])
    await expect(governor.open({ name: 'run', preset: 'developr' })).rejects.toThrow(/developer/)
  })

  it('A3: refuses a limit that it cannot read, and opens nothing', async () => {
    const { governor, emitted } = createGovernorFixture()
    for (const limits of [{ toolCals: 5 }, { cost: 0 }, { tokens: '50kk' }, { time: '90' }]) {
      await expect(governor.open({ name: 'run', limits: limits as object })).rejects.toThrow(/limits\./)
    }
    expect(await emitted('scope_opened')).toEqual([])
  })
})

describe('counting and thresholds', () => {
  it('A1: the eighth of ten tool calls announces that the limit is near, the ninth and tenth announce nothing', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 10 } })
    for (let call = 0; call < 10; call++) await (await mustReserve(run, { toolCalls: 1 })).settle()
    expect(await emitted('limit_nearing')).toMatchObject([{ used: 8, limit: 10, ratio: 0.8, limit_kind: 'toolCalls' }])
    expect(await emitted('limit_exceeded')).toEqual([])
  })

  it('A2: five of five run, the sixth is refused, and that is reported once', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 5 } })
    for (let call = 0; call < 5; call++) await (await mustReserve(run, { toolCalls: 1 })).settle()
    const outcomes = [await run.reserve({ toolCalls: 1 }), await run.reserve({ toolCalls: 1 })]
    expect(outcomes).toMatchObject([
      { kind: 'refused', breach: { meter: 'toolCalls', limit: 5, settled: 5, asked: 1 } },
      { kind: 'refused' },
    ])
    expect(await emitted('limit_exceeded')).toMatchObject([{ used: 5, requested: 1 }])
    expect(await emitted('reservation_denied')).toHaveLength(2)
  })

  it('A7: warn never refuses, and warns again at each further 20 %', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 5 }, onLimit: 'warn' })
    for (let call = 0; call < 8; call++) await (await mustReserve(run, { toolCalls: 1 })).settle()
    expect((await emitted('agent_warning')).map((event) => 'used' in event && event.used)).toEqual([6, 7, 8])
    expect(await run.usage()).toMatchObject({ toolCalls: { remaining: 0, overrun: 3 } })
    expect(run.status()).toBe('running')
  })

  it('numbers the events of a scope, and ignores a listener that throws', async () => {
    const { governor, events } = createGovernorFixture()
    governor.on(() => {
      throw new Error('a bad listener')
    })
    const run = await governor.open({ name: 'run' })
    await (await mustReserve(run, { toolCalls: 1 })).settle()
    await run.close()
    await settleDown()
    expect(events.map(({ event, seq }) => `${seq} ${event}`)).toEqual([
      '1 scope_opened',
      '2 agent_started',
      '3 call_settled',
      '4 agent_completed',
      '5 scope_closed',
    ])
  })
})

describe('pools', () => {
  it('B3: a child spends from the pool above it, and both show it', async () => {
    const { governor } = createGovernorFixture()
    const root = await governor.open({ name: 'root', limits: { tokens: 100 } })
    const child = await root.open({ name: 'child' })
    await (await mustReserve(root, { tokens: 50 })).settle()
    await (await mustReserve(child, { tokens: 50 })).settle()
    expect((await root.usage()).tokens).toMatchObject({ settled: 100, remaining: 0 })
    expect((await child.usage()).tokens).toMatchObject({ limit: null, settled: 50, remaining: null })
    expect((await child.usage({ path: true })).tokens).toMatchObject({ limit: 100, settled: 100, remaining: 0 })
    await expect(child.open({ name: 'grandchild' })).rejects.toThrow(/is used up: 100 of 100 used/)
  })

  it('B4: a child never has more left than its parent', async () => {
    const { governor } = createGovernorFixture()
    const root = await governor.open({ name: 'root', limits: { tokens: 100 } })
    const child = await root.open({ name: 'child', limits: { tokens: 5_000 } })
    await (await mustReserve(root, { tokens: 70 })).settle()
    expect((await child.usage()).tokens).toMatchObject({ limit: 5_000, remaining: 30 })
  })

  it('D6, A16: a budget lasts, applies to every run within it, and reopens with its window', async () => {
    const { governor, clock } = createGovernorFixture()
    const team = await governor.budget('team:core', { limits: { cost: { max: 10, per: 'day' } } })
    const usd = (amount: number) => ({ cost: amount * 1_000_000_000 })
    for (const name of ['first', 'second']) {
      const run = await governor.open({ name, within: team })
      await (await mustReserve(run, usd(5))).settle()
      await run.close()
    }
    expect((await team.usage()).cost).toEqual({
      unit: 'nanoUsd',
      written: 'cost',
      limit: 10_000_000_000,
      settled: 10_000_000_000,
      reserved: 0,
      held: 0,
      remaining: 0,
      overrun: 0,
      resetsAt: Date.UTC(2026, 0, 2),
      assumed: 0,
      refused: 0,
      windows: [expect.objectContaining({ per: 'day', scope: 'team:core', resetsAt: Date.UTC(2026, 0, 2) })],
    })
    await expect(governor.open({ name: 'third', within: team, waitMs: 0 })).rejects.toThrow(/team:core.*resets at/)
    await clock.advance(86_400_000)
    const run = await governor.open({ name: 'third', within: team })
    expect(run.path).toBe('team:core/third')
    expect((await governor.budget('team:core')).id).toBe('team:core')
  })
})

describe('waiting', () => {
  it('B5: of 1,000 with room for 10, ten are granted; counts are refused at once, tokens wait', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 10, tokens: 5_000 } })
    const calls = await Promise.all(Array.from({ length: 1_000 }, () => run.reserve({ toolCalls: 1 })))
    expect(calls.filter(({ kind }) => kind === 'granted')).toHaveLength(10)

    const waiting = Array.from({ length: 1_000 }, () => run.reserve({ tokens: 500 }))
    await settleDown()
    const granted = (await Promise.all(waiting.slice(0, 10))).filter((each) => each.kind === 'granted')
    expect(granted).toHaveLength(10)
    expect(await isPending(waiting[10]!)).toBe(true)
    expect(await emitted('reservation_waiting')).toHaveLength(990)
    for (const reservation of granted) await reservation.settle()
    const refused = await Promise.all(waiting.slice(10))
    expect(refused.filter((outcome) => outcome.kind === 'granted')).toHaveLength(0)
  })

  it.each([
    ['has no text', Object.create(null)],
    ['has a text that throws', { toString: () => assert.fail('no text') }],
    ['is a symbol', Symbol('no')],
  ])(
    'a settlement with an amount that %s charges the worst case, reports it, and wakes waiting callers',
    async (_, cost) => {
      const { governor, emitted } = createGovernorFixture()
      const run = await governor.open({ name: 'run', limits: { tokens: 100, cost: 1 } })
      const room = await mustReserve(run, { tokens: 90, cost: 10 })
      const waiting = run.reserve({ tokens: 90 })
      await room.settle({ tokens: 10, cost })
      expect(await waiting).toMatchObject({ kind: 'granted' })
      expect((await run.usage()).cost.settled).toBe(10)
      expect(await emitted('usage_anomaly')).toMatchObject([{ meter: 'cost', charged: 10 }])
    },
  )

  it('B6: 20 oversized calls in flight and 50 that fit: all 50 are admitted, at the latest when the others settle', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 20_000 } })
    const large = await Promise.all(Array.from({ length: 20 }, () => mustReserve(run, { tokens: 1_000 })))
    const small = Array.from({ length: 50 }, () => run.reserve({ tokens: 100 }))
    expect(await isPending(small[0]!)).toBe(true)
    for (const reservation of large) await reservation.settle({ tokens: 10 })
    expect((await Promise.all(small)).every(({ kind }) => kind === 'granted')).toBe(true)
  })

  it('is first come, first served, and a large call is not starved by small ones behind it', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    const [first, second] = [await mustReserve(run, { tokens: 50 }), await mustReserve(run, { tokens: 50 })]
    const large = run.reserve({ tokens: 80 })
    await settleDown()
    const small = run.reserve({ tokens: 30 })
    await settleDown()
    await first.release()
    expect([await isPending(large), await isPending(small)]).toEqual([true, true])
    await second.release()
    expect((await large).kind).toBe('granted')
    expect(await isPending(small)).toBe(true)
  })

  it('ends after its time, with a refusal', async () => {
    const { governor, clock, emitted } = createGovernorFixture({ waitMs: 60_000 })
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    await mustReserve(run, { tokens: 90 })
    const waiting = run.reserve({ tokens: 50 })
    await settleDown()
    await clock.advance(59_999)
    expect(await isPending(waiting)).toBe(true)
    await clock.advance(1)
    expect(await waiting).toMatchObject({ kind: 'refused', breach: { meter: 'tokens', reserved: 90 } })
    expect(await emitted('reservation_denied')).toMatchObject([{ waited_ms: 60_000 }])
  })

  it('ends when a window opens', async () => {
    const { governor, clock } = createGovernorFixture({ waitMs: 86_400_000 })
    const run = await governor.open({ name: 'run', limits: { tokens: { max: 100, per: 'hour' } } })
    await mustReserve(run, { tokens: 90 })
    const waiting = run.reserve({ tokens: 50 })
    await settleDown()
    await clock.advance(3_600_000)
    expect((await waiting).kind).toBe('granted')
  })

  it('ends with the scope that waits', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    await mustReserve(run, { tokens: 90 })
    const waiting = run.reserve({ tokens: 50 })
    await settleDown()
    const refused = expect(waiting).rejects.toSatisfy((error) => isStintError(error, 'scope_closed'))
    await run.stop()
    await refused
  })

  it('E8: ends when the limit is raised, and lowering it refuses', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    await mustReserve(run, { tokens: 90 })
    const waiting = run.reserve({ tokens: 50 })
    await settleDown()
    await run.setLimits({ tokens: 140 }, { by: 'ann' })
    expect((await waiting).kind).toBe('granted')
    expect(await emitted('limit_raised')).toMatchObject([{ limit_before: 100, limit: 140, by: 'ann' }])
    await run.setLimits({ tokens: 10 })
    expect(await run.reserve({ tokens: 1 }, { waitMs: 0 })).toMatchObject({ kind: 'refused', breach: { limit: 10 } })
  })
})

describe('spawns', () => {
  it('B9: two run, two queue, the fifth is refused with both counts, and an end frees a place', async () => {
    const { governor } = createGovernorFixture({ queueLength: 2 })
    const run = await governor.open({ name: 'run', limits: { concurrency: 2 } })
    const first = await run.open({ name: 'first' })
    await run.open({ name: 'second' })
    const [third, fourth] = [run.open({ name: 'third' }), run.open({ name: 'fourth' })]
    await settleDown()
    await expect(run.open({ name: 'fifth' })).rejects.toThrow(/2 running, 2 queued/)
    await first.close()
    expect((await third).name).toBe('third')
    expect(await isPending(fourth)).toBe(true)
  })

  it('B10: a queued child’s clocks start when it does', async () => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { concurrency: 1 } })
    const first = await run.open({ name: 'first' })
    const queued = run.open({ name: 'second', limits: { time: '10s' } })
    await settleDown()
    await clock.advance(60_000)
    await first.close()
    expect((await (await queued).usage()).time).toMatchObject({ settled: 0, remaining: 10_000 })
  })

  it('B11: stops at the tightest depth, with depth and maximum in the text', async () => {
    const { governor, emitted } = createGovernorFixture()
    const root = await governor.open({ name: 'root', limits: { depth: 1 } })
    const child = await root.open({ name: 'child', limits: { depth: 5 } })
    const refusal = await child.open({ name: 'grandchild' }).catch((error: unknown) => error)
    expect(isLimitExceeded(refusal, root.id)).toBe(true)
    expect(String(refusal)).toContain('is used up: 1 of 1 used')
    expect(await emitted('spawn_refused')).toMatchObject([{ child_name: 'grandchild', limit_kind: 'depth' }])
  })

  it('B12: a pool too small for another child says so, and finished children are kept', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 1_000 } })
    const child = await run.open({ name: 'child', needs: { tokens: 400 } })
    await (await mustReserve(child, { tokens: 700 })).settle()
    await child.close()
    await expect(run.open({ name: 'next', needs: { tokens: 400 } })).rejects.toThrow(
      /To allow more, change limits.tokens/,
    )
    expect(child.status()).toBe('completed')
    expect((await run.usage()).tokens).toMatchObject({ settled: 700, remaining: 300 })
  })

  it('B14: a parent and its children with one place each do not deadlock', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { concurrency: 2 } })
    const children = await Promise.all(['a', 'b'].map((name) => run.open({ name, limits: { concurrency: 1 } })))
    const grandchildren = await Promise.all(children.map((child) => child.open({ name: 'below' })))
    expect(grandchildren).toHaveLength(2)
  })
})

describe('clocks', () => {
  it('C6: a time limit aborts running work by itself, innermost first, and sets the status', async () => {
    const { governor, clock, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { wallTime: '150ms' } })
    const child = await run.open({ name: 'child' })
    const order: string[] = []
    child.signal.addEventListener('abort', () => order.push('child'))
    run.signal.addEventListener('abort', () => order.push('run'))
    await clock.advance(150)
    expect(order).toEqual(['child', 'run'])
    expect(isLimitExceeded(run.signal.reason, run.id)).toBe(true)
    expect(await run.reserve({ toolCalls: 1 })).toMatchObject({ kind: 'refused', breach: { meter: 'wallTime' } })
    await run.close()
    expect(run.status()).toBe('timed-out')
    expect(await emitted('agent_failed')).toContainEqual(
      expect.objectContaining({ scope: run.id, status: 'timed-out', error: 'Execution limit exceeded: wallTime' }),
    )
  })

  it('A8: report once that half the time is over', async () => {
    const { governor, clock, emitted } = createGovernorFixture()
    await governor.open({ name: 'run', limits: { time: { max: '200ms', nearing: 0.5 } } })
    await clock.advance(120)
    expect(await emitted('limit_nearing')).toMatchObject([{ limit_kind: 'time', used: 100, limit: 200 }])
  })

  it('stop while the scope waits for budget', async () => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100, time: '10s' } })
    const held = await mustReserve(run, { tokens: 90 })
    const waiting = run.reserve({ tokens: 50 })
    await settleDown()
    await clock.advance(60_000)
    expect(run.signal.aborted).toBe(false)
    await held.release()
    await waiting
    await clock.advance(9_999)
    expect(run.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(run.signal.aborted).toBe(true)
  })

  it('C8: are unaffected by jumps of the wall clock, and do not fire 30 days early', async () => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { wallTime: '30d' } })
    clock.jumpWall(365 * 86_400_000)
    await clock.advance(86_400_000)
    expect(run.signal.aborted).toBe(false)
    expect((await run.usage()).wallTime.settled).toBe(86_400_000)
  })

  it('E8: follow a raised deadline immediately', async () => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { time: '10s' } })
    await clock.advance(9_000)
    await run.setLimits({ time: '20s' })
    await clock.advance(10_999)
    expect(run.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(run.signal.aborted).toBe(true)
  })
})

describe('ends', () => {
  it('stop everything below first, and admit nothing more', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run' })
    const child = await run.open({ name: 'child' })
    await run.close()
    expect([run.status(), child.status()]).toEqual(['completed', 'stopped'])
    await expect(child.reserve({ toolCalls: 1 })).rejects.toThrow(/has ended/)
    await expect(run.open({ name: 'late' })).rejects.toThrow(/has ended/)
    expect((await emitted('scope_closed')).map(({ scope_path }) => scope_path)).toEqual(['run/child', 'run'])
    expect((await governor.find(run.id))?.status()).toBe('completed')
  })

  it('still charge what was in flight', async () => {
    const { governor } = createGovernorFixture()
    const team = await governor.budget('team:core')
    const run = await governor.open({ name: 'run', within: team })
    const call = await mustReserve(run, { tokens: 50 })
    await run.stop()
    await call.settle({ tokens: 20 })
    expect((await team.usage()).tokens.settled).toBe(20)
  })
})
