import { describe, expect, it } from 'vitest'
import { createGovernorFixture, mustReserve } from '../fixtures/governor.fixture.ts'

describe('the hints of a scope', () => {
  it('F1: the prompt line has the resolved numbers of the whole path, in the singular for 1', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: '200k', toolCalls: 50 } })
    const child = await run.open({ name: 'child', preset: 'qa', limits: { toolCalls: 1, time: null, cost: null } })
    expect(child.promptLine()).toMatch(
      /^Tool budget: you have 1 tool call for this task\. Token budget: you have 200000/,
    )
    expect((await governor.open({ name: 'free' })).promptLine()).toBe('')
  })

  it('F2: of five tool calls, results 2 to 5 say 3, 2, 1 and 0 left, and the first says nothing', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 5 } })
    const hints: (string | null)[] = []
    for (let call = 0; call < 5; call++) {
      await run.callTool({ name: 'read' }, () => call)
      hints.push(await run.hint())
    }
    expect(hints.map((hint) => hint?.slice(0, 23) ?? null)).toEqual([
      null,
      '[budget: 3 of 5 tool ca',
      '[budget: 2 of 5 tool ca',
      '[budget: 1 of 5 tool ca',
      '[budget: 0 of 5 tool ca',
    ])
  })

  it('name the tightest meter of any scope on the path', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 1_000 } })
    const child = await run.open({ name: 'child', limits: { toolCalls: 20 } })
    await (await mustReserve(run, { tokens: 850 })).settle()
    expect(await child.hint()).toBe('[budget: 150 of 1000 tokens left — wrap up soon]')
  })

  it('include clocks by their own time, even those of a parent', async () => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { wallTime: '10m' } })
    const child = await run.open({ name: 'child' })
    expect(await child.hint()).toBe(null)
    await clock.advance(9 * 60_000)
    expect(await child.hint()).toContain('1m of 10m wall time left')
  })

  it('A7: under warn say that the plan is exceeded, not that something will be refused', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1 }, onLimit: 'warn' })
    for (let call = 0; call < 2; call++) await run.callTool({ name: 'read' }, () => call)
    expect(await run.hint()).toBe('[budget: 2 of 1 tool calls used — over the plan, finish soon]')
  })
})
