import { describe, expect, it } from 'vitest'
import { isLimitExceeded, LimitExceededError } from '../core/index.ts'
import { createGovernorFixture, isPending, mustReserve } from './fixtures/governor.fixture.ts'
import { modelCall, TEST_PRICES, writesAll } from './fixtures/model.fixture.ts'

describe('scopes, pools and spawns, through the governor', () => {
  it('B1: catching refusals of the inner scope does not catch those of the outer one', async () => {
    const { governor } = createGovernorFixture()
    const outer = await governor.open({ name: 'outer', limits: { tokens: 1_000 } })
    const inner = await outer.open({ name: 'inner', limits: { tokens: 500 } })
    const refusal = async (tokens: number) => {
      const outcome = await inner.reserve({ tokens }, { waitMs: 0 })
      return outcome.kind === 'granted' ? null : new LimitExceededError(outcome.breaches)
    }
    const byInner = await refusal(600)
    expect([isLimitExceeded(byInner, inner.id), isLimitExceeded(byInner, outer.id)]).toEqual([true, false])
    await (await mustReserve(outer, { tokens: 700 })).settle()
    const byOuter = await refusal(400)
    expect([isLimitExceeded(byOuter, inner.id), isLimitExceeded(byOuter, outer.id)]).toEqual([false, true])
  })

  it('B2: siblings’ spend is charged to each common ancestor exactly once', async () => {
    const { governor, emitted } = createGovernorFixture({ prices: TEST_PRICES })
    const team = await governor.budget('team:core', { limits: { cost: 1 } })
    const run = await governor.open({ name: 'run', within: team, limits: { tokens: 10_000 } })
    const siblings = await run.openAll([{ name: 'a' }, { name: 'b', limits: { toolCalls: 5 } }])
    const [nephew] = await siblings[0]!.openAll([{ name: 'nephew' }])
    const agents = [...siblings, nephew!]
    await Promise.all(
      agents.map(async (agent) => {
        await agent.callModel(modelCall(100, 50), writesAll(100))
        await agent.callTool({ name: 'read' }, () => 1)
      }),
    )
    const spent = await Promise.all(
      [team, run, ...agents].map(async (scope) => {
        const { tokens, toolCalls, modelCalls, cost } = await scope.usage()
        return [tokens, toolCalls, modelCalls, cost].map(({ settled }) => settled)
      }),
    )
    const each = [150, 1, 1, 100 * 1_000 + 50 * 5_000]
    const times = (count: number) => each.map((amount) => amount * count)
    expect(spent).toEqual([times(3), times(3), times(2), each, each])
    expect(await emitted('call_settled')).toHaveLength(6)
  })

  it('B5: with waitMs 0, calls without room are refused immediately', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 5_000 } })
    const outcomes = await Promise.all(Array.from({ length: 1_000 }, () => run.reserve({ tokens: 500 }, { waitMs: 0 })))
    expect(outcomes.filter(({ kind }) => kind === 'granted')).toHaveLength(10)
    expect(await emitted('reservation_waiting')).toEqual([])
    expect((await run.usage()).tokens).toMatchObject({ reserved: 5_000, remaining: 0 })
  })

  it('B9: the place of a child that ended goes to the one that queued first', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { concurrency: 1 } })
    const first = await run.open({ name: 'first' })
    const [second, third] = [run.open({ name: 'second' }), run.open({ name: 'third' })]
    expect(await isPending(second)).toBe(true)
    await first.close()
    await (await second).close()
    expect((await third).status()).toBe('running')
  })

  it.each([
    ['an inherited 3 and an own 1 allow 1', 3, 1, 1],
    ['an inherited 2 and an own 5 allow 1 more below the child', 2, 5, 1],
    ['an inherited 1 and an own 5 allow none', 1, 5, 0],
    ['an own 0 disables delegation', 3, 0, 0],
  ])('B11: %s', async (_, inherited, own, allowed) => {
    const { governor } = createGovernorFixture()
    const root = await governor.open({ name: 'root', limits: { depth: inherited } })
    let scope = await root.open({ name: 'child', limits: { depth: own } })
    let levels = 0
    for (; levels < 10; levels++) {
      const below = await scope.open({ name: `level-${levels}` }).catch((error: unknown) => error)
      if (below instanceof Error) {
        expect(isLimitExceeded(below)).toBe(true)
        expect(below.message).toMatch(/depth limit.*is used up: \d of \d used, 1 more requested/)
        break
      }
      scope = below as typeof scope
    }
    expect(levels).toBe(allowed)
  })

  it('B12: a spawn that lacks room only because of calls in flight queues, and is admitted when they settle', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 1_000 } })
    const call = await mustReserve(run, { tokens: 900 })
    const child = run.open({ name: 'child', needs: { tokens: 400 } })
    expect(await isPending(child)).toBe(true)
    await call.settle({ tokens: 100 })
    expect((await child).status()).toBe('running')
  })
})
