import { describe, expect, it } from 'vitest'
import { createGovernorFixture, mustReserve, settleDown } from './fixtures/governor.fixture.ts'
import { answerFrom, modelCall, TEST_PRICES, writesAll } from './fixtures/model.fixture.ts'

const DAY_MS = 86_400_000
const usd = (amount: number) => amount * 1_000_000_000

describe('counting and thresholds, through the governor', () => {
  it('A5: several breaches at one check are one decision: root first, all listed, nothing reserved', async () => {
    const { governor, emitted } = createGovernorFixture()
    const root = await governor.open({ name: 'root', limits: { tokens: 100, toolCalls: 0 } })
    const child = await root.open({ name: 'child', limits: { tokens: 50, outputTokens: 10, cost: 1 } })
    const outcome = await child.reserve({ toolCalls: 1, tokens: 200, outputTokens: 20, cost: usd(0.5) })
    if (outcome.kind === 'granted') throw new Error('granted')
    expect(outcome.breaches.map(({ scopePath, meter, limit, asked }) => [scopePath, meter, limit, asked])).toEqual([
      ['root', 'toolCalls', 0, 1],
      ['root', 'tokens', 100, 200],
      ['root/child', 'tokens', 50, 200],
      ['root/child', 'outputTokens', 10, 20],
    ])
    expect(outcome.breach).toBe(outcome.breaches[0])
    expect(await emitted('reservation_denied')).toMatchObject([{ limit_kind: 'toolCalls', scope: root.id }])
    expect(await emitted('limit_exceeded')).toHaveLength(4)
    for (const scope of [root, child]) {
      const usage = await scope.usage()
      expect(
        Object.values(usage)
          .map(({ settled, reserved }) => settled + reserved)
          .slice(0, 8),
      ).toEqual(Array(8).fill(0))
    }
  })

  it('A5: a tool call that breaches several scopes is refused once, by the outermost', async () => {
    const { governor, emitted } = createGovernorFixture()
    const root = await governor.open({ name: 'root', limits: { toolCalls: 1 } })
    const child = await root.open({ name: 'child', limits: { toolCalls: 1 } })
    await child.callTool({ name: 'read' }, () => 1)
    const refused = await child.callTool({ name: 'read' }, () => 2)
    expect(refused).toMatchObject({ breach: { scope: root.id }, breaches: [{ scope: root.id }, { scope: child.id }] })
    expect(await emitted('reservation_denied')).toHaveLength(1)
  })

  it('A7: warn never waits and never clamps', async () => {
    const { governor, emitted } = createGovernorFixture({ prices: TEST_PRICES })
    const run = await governor.open({ name: 'run', limits: { tokens: 100, cost: 0.01 }, onLimit: 'warn' })
    const inFlight = await mustReserve(run, { tokens: 100 })
    const outcome = await run.callModel(modelCall(5_000, 50_000), writesAll(5_000))
    expect(outcome).toMatchObject({ clampedTo: null, value: { usage: { outputTokens: 50_000 } } })
    await inFlight.settle()
    expect(await emitted('reservation_waiting')).toEqual([])
    expect((await run.usage()).tokens).toMatchObject({ remaining: 0, overrun: 55_000 })
    expect(run.status()).toBe('running')
  })

  it('A8: a threshold outside (0, 1) is refused, and one that was not reached is not reported', async () => {
    const { governor, clock, emitted } = createGovernorFixture()
    for (const nearing of [0, 1, -0.5, 80, Number.NaN]) {
      const open = governor.open({ name: 'run', limits: { time: { max: '200ms', nearing } } })
      await expect(open).rejects.toMatchObject({ code: 'invalid_limit' })
    }
    const run = await governor.open({ name: 'run', limits: { time: { max: '200ms', nearing: 0.5 } } })
    await clock.advance(99)
    await run.close()
    await clock.advance(500)
    expect(await emitted('limit_nearing')).toEqual([])
    expect(run.status()).toBe('completed')
  })

  it('A9: cache reads count in tokens and not in uncachedTokens', async () => {
    const { governor } = createGovernorFixture({ prices: TEST_PRICES })
    const run = await governor.open({ name: 'run', limits: { uncachedTokens: 1_500 } })
    const usage = { inputTokens: 100, outputTokens: 100, cacheReadTokens: 1_000 }
    await run.callModel(modelCall(1_100, 100), async () => ({ value: null, usage }))
    const { tokens, uncachedTokens } = await run.usage()
    expect([tokens.settled, uncachedTokens.settled, uncachedTokens.remaining]).toEqual([1_200, 200, 1_300])
  })

  it('A16: limits per day and per month both hold, and a breach says when it resets', async () => {
    const { governor, clock } = createGovernorFixture()
    const cost = [
      { max: 10, per: 'day' },
      { max: 25, per: 'month' },
    ] as const
    const run = await governor.open({ name: 'run', limits: { cost } })
    const spend = () => run.reserve({ cost: usd(10) }, { waitMs: 0 })
    const perDay: (string | null)[] = []
    for (let day = 0; day < 3; day++) {
      const first = await spend()
      if (first.kind === 'granted') await first.settle()
      const second = await spend()
      const breach = second.kind === 'refused' ? second.breach : null
      perDay.push(breach && `${breach.per} ${new Date(breach.resetsAt ?? 0).toISOString()}`)
      await clock.advance(DAY_MS)
    }
    expect(perDay).toEqual([
      'day 2026-01-02T00:00:00.000Z',
      'day 2026-01-03T00:00:00.000Z',
      'month 2026-02-01T00:00:00.000Z',
    ])
    const { windows } = (await run.usage()).cost
    expect(windows.map(({ per, settled }) => [per, settled])).toEqual([
      ['day', 0],
      ['month', usd(20)],
    ])
  })

  it('A16: a settlement counts in the window of its reservation', async () => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { cost: { max: 10, per: 'day' } } })
    const late = await mustReserve(run, { cost: usd(8) })
    await clock.advance(DAY_MS)
    await late.settle()
    expect((await run.usage()).cost).toMatchObject({ settled: 0, remaining: usd(10) })
    expect((await run.reserve({ cost: usd(10) }, { waitMs: 0 })).kind).toBe('granted')
  })

  it('A11: modelCalls 1 with a closing call is one call of work', async () => {
    const { governor } = createGovernorFixture({ prices: TEST_PRICES })
    const run = await governor.open({ name: 'run', limits: { modelCalls: 1 }, wrapUp: true })
    expect(answerFrom(await run.callModel(modelCall(10, 10), writesAll(10)))).not.toBe(null)
    expect(await run.callModel(modelCall(10, 10), writesAll(10))).toMatchObject({ breach: { meter: 'modelCalls' } })
    await settleDown()
    expect((await run.usage()).modelCalls).toMatchObject({ settled: 1, overrun: 0 })
  })
})
