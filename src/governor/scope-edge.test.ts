import { describe, expect, it } from 'vitest'
import { parseLimits } from '../policy/index.ts'
import { createGovernorFixture, settleDown } from './fixtures/governor.fixture.ts'
import type { Scope } from './governor.ts'
import { edgeOf } from './scope-edge.ts'

describe('the end of a scope, for an edge', () => {
  it('is announced by the limits that halted it, before it is over', async () => {
    const { governor } = createGovernorFixture()
    const scope = await governor.open({ name: 'a', limits: { toolCalls: 1 } })
    expect(edgeOf(scope).end()).toMatchObject({ breaches: null, pausedBy: null, signal: { aborted: false } })
    await scope.callTool({ name: 't' }, () => 1)
    await scope.callTool({ name: 't' }, () => 2)
    expect(edgeOf(scope).end()).toMatchObject({ breaches: [{ meter: 'toolCalls' }], signal: { aborted: false } })
    await scope.close()
    expect(edgeOf(scope).end().signal.aborted).toBe(true)
  })

  it('is immediate when a clock without a closing span has run out', async () => {
    const { governor, clock } = createGovernorFixture()
    const scope = await governor.open({ name: 'a', limits: { time: 1500 } })
    await clock.advance(1500)
    expect(edgeOf(scope).end()).toMatchObject({ breaches: [{ meter: 'time' }], signal: { aborted: true } })
  })

  it('is not near while the scope is only paused, and says by what', async () => {
    const { governor } = createGovernorFixture()
    const scope = await governor.open({ name: 'a', limits: { toolCalls: 1 }, onLimit: 'pause' })
    await scope.callTool({ name: 't' }, () => 1)
    await scope.callTool({ name: 't' }, () => 2)
    expect(edgeOf(scope).end()).toMatchObject({ breaches: null, pausedBy: [{ meter: 'toolCalls' }] })
  })

  it('is postponed by signs of life if idle time is limited', async () => {
    const { governor, clock } = createGovernorFixture()
    const scope = await governor.open({ name: 'a', limits: { idleTime: 1000 } })
    await clock.advance(900)
    edgeOf(scope).touch()
    await clock.advance(900)
    expect(edgeOf(scope).end().breaches).toBeNull()
    await clock.advance(100)
    await settleDown()
    expect(edgeOf(scope).end().breaches).toMatchObject([{ meter: 'idleTime' }])
  })

  it('does not exist for a value that is not a scope, or for a copy of one', async () => {
    const { governor } = createGovernorFixture()
    const scope = await governor.open({ name: 'a' })
    expect(() => edgeOf({} as Scope)).toThrow(/edgeOf\(scope\)/)
    expect(() => edgeOf({ ...scope })).toThrow('a scope of a governor')
    expect(edgeOf(scope)).toBe(edgeOf(scope))
  })
})

describe('the layers that a scope is opened with', () => {
  it('are below the limits of the call, and ceilings above them', async () => {
    const { governor } = createGovernorFixture()
    const layers = [
      parseLimits({ toolCalls: 5, modelCalls: 7 }, { layer: 'project', file: 'stint.config.yaml' }),
      parseLimits({ toolCalls: 8 }, { layer: 'ceiling', file: 'stint.config.yaml' }),
    ]
    const scope = await governor.open({ name: 'a', layers, limits: { toolCalls: 20 } })
    const tightest = (meter: string) =>
      Math.min(
        ...scope
          .limits()
          .filter((each) => each.meter === meter)
          .map(({ max }) => max),
      )
    expect([tightest('toolCalls'), tightest('modelCalls')]).toEqual([8, 7])
  })
})
