import { describe, expect, it } from 'vitest'
import { createGovernorFixture } from '../fixtures/governor.fixture.ts'
import type { Scope } from '../governor.ts'

const ask = (scope: Scope, messages: number) => scope.reserve({ modelCalls: 1 }, { messages, waitMs: 0 })
const used = (events: readonly object[]) => events.map((event) => 'used' in event && event.used)

describe('the length of a conversation', () => {
  it('is shown as last compared, whether or not it fitted, even without a limit', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { messages: 20 } })
    expect((await run.usage()).messages).toMatchObject({ settled: 0, remaining: 20 })
    await ask(run, 7)
    expect((await run.usage()).messages).toMatchObject({ limit: 20, settled: 7, remaining: 13, overrun: 0 })
    await ask(run, 22)
    expect((await run.usage()).messages).toMatchObject({ settled: 22, remaining: 0, overrun: 2 })
    await ask(run, 3)
    expect((await run.usage()).messages.windows).toMatchObject([{ settled: 3, remaining: 17 }])
    const free = await governor.open({ name: 'free' })
    await ask(free, 5)
    expect((await free.usage()).messages).toMatchObject({ limit: null, settled: 5 })
  })

  it('A1: reports once that it is near its limit, and then that it is reached', async () => {
    const { governor, events, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { messages: 10 } })
    for (const messages of [1, 7, 8, 9, 4, 8, 10]) await ask(run, messages)
    const nearing = await emitted('limit_nearing')
    expect(nearing).toMatchObject([{ limit_kind: 'messages', used: 8, limit: 10, threshold: 0.8, remaining: 2 }])
    const names = events.map(({ event }) => event).filter((name) => name.startsWith('limit_'))
    expect(names).toEqual(['limit_nearing', 'limit_exceeded'])
    await run.setLimits({ messages: 20 })
    await ask(run, 16)
    expect(used(await emitted('limit_nearing'))).toEqual([8, 16])
  })

  it('A7: warns past a limit that only warns, and again at each further fifth', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { messages: { max: 10, action: 'warn' } } })
    for (const messages of [10, 11, 11, 12, 13, 14]) expect(await ask(run, messages)).toMatchObject({ kind: 'granted' })
    expect(used(await emitted('agent_warning'))).toEqual([11, 12, 14])
    expect(used(await emitted('limit_exceeded'))).toEqual([11])
  })

  it('is compared with the nearest limit on the path', async () => {
    const { governor, emitted } = createGovernorFixture()
    const outer = await governor.open({ name: 'outer', limits: { messages: 10 } })
    const [inner, limited] = await outer.openAll([{ name: 'inner' }, { name: 'limited', limits: { messages: 100 } }])
    await ask(limited!, 9)
    expect([(await outer.usage()).messages.settled, await emitted('limit_nearing')]).toEqual([0, []])
    await ask(inner!, 9)
    expect([(await outer.usage()).messages.settled, (await inner!.usage()).messages.settled]).toEqual([9, 9])
    expect(await emitted('limit_nearing')).toMatchObject([{ scope: outer.id, used: 9 }])
  })
})
