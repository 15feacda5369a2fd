import { describe, expect, it } from 'vitest'
import { settleDown } from '../fixtures/governor.fixture.ts'
import { createPair } from '../fixtures/governor-pair.fixture.ts'
import { createWired } from '../fixtures/store-wire.fixture.ts'

const SECOND_MS = 1_000

describe('an event of a scope is emitted once over all processes', () => {
  it('a pause, resume, raise and stop from elsewhere are reported by the process that runs it', async () => {
    const { clock, events, store, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run', limits: { toolCalls: 5 } })
    const found = (await theirs.find(run.id))!
    await found.pause()
    await clock.advance(SECOND_MS)
    await store.resume({ scopeId: run.id, atMs: clock.wallMs() })
    await clock.advance(SECOND_MS)
    await found.setLimits({ toolCalls: 9 })
    await clock.advance(SECOND_MS)
    await found.stop()
    await clock.advance(SECOND_MS)
    const heard = events.map(({ emitter, event }) => `${emitter} ${event}`)
    expect(heard.filter((each) => !each.includes('opened') && !each.includes('started'))).toEqual([
      'ours agent_paused',
      'ours agent_resumed',
      'ours limit_raised',
      'ours agent_failed',
      'ours scope_closed',
    ])
  })

  it('a change of a budget is reported by the process that makes it', async () => {
    const { clock, events, ours, theirs } = createPair()
    await ours.budget('team', { limits: { tokens: 10 } })
    const there = await theirs.budget('team')
    await there.setLimits({ tokens: 20 })
    await there.pause()
    await there.resume()
    await clock.advance(SECOND_MS)
    expect(events.map(({ emitter, event }) => `${emitter} ${event}`)).toEqual([
      'ours scope_opened',
      'theirs limit_raised',
      'theirs agent_paused',
      'theirs agent_resumed',
    ])
  })

  it('the end of an orphaned run is reported by the process that ends it, with everything below', async () => {
    const { clock, dead, events, store, start, ours } = createPair()
    const gone = start('gone')
    const run = await gone.open({ name: 'run' })
    const child = await run.open({ name: 'child' })
    dead.add('gone')
    await (await ours.find(run.id))!.stop()
    await clock.advance(SECOND_MS)
    const closed = events.filter(({ event, emitter }) => event === 'scope_closed' && emitter === 'ours')
    expect(closed.map(({ scope }) => scope)).toContain(run.id)
    const [, reading] = (await store.read({ scopeId: child.id, atMs: clock.wallMs() }))!
    expect(reading!.status).toBe('stopped')
  })

  it('a request that two processes wait for is answered once, with the person’s name', async () => {
    const { clock, events, ours, theirs, start } = createPair()
    const limits = { toolCalls: { max: 1, action: 'ask' } } as const
    const here = await ours.open({ name: 'here', within: await ours.budget('team', { limits }) })
    const there = await theirs.open({ name: 'there', within: await theirs.budget('team') })
    await here.callTool({ name: 'read' }, () => 1)
    const waiting = [here.callTool({ name: 'read' }, () => 2), there.callTool({ name: 'read' }, () => 3)]
    await settleDown()
    const third = start('third')
    const [request] = await third.requests()
    await third.approve(request!.id, { amount: 5, by: 'ann' })
    await clock.advance(2 * SECOND_MS)
    expect(await Promise.all(waiting)).toMatchObject([{ value: 2 }, { value: 3 }])
    const answers = events.filter(({ event }) => event.startsWith('increase_'))
    expect(answers.map(({ event }) => event)).toEqual(['increase_requested', 'increase_granted'])
    expect(answers[1]).toMatchObject({ by: 'ann', granted: 5 })
  })

  it('A1: a threshold of a shared budget is reported once, even if the first answer was lost', async () => {
    const { clock, cut, names, wired, theirs } = createWired()
    const here = await wired.open({ name: 'here', within: await wired.budget('team', { limits: { toolCalls: 10 } }) })
    const there = await theirs.open({ name: 'there', within: await theirs.budget('team') })
    for (let call = 0; call < 7; call++) await there.callTool({ name: 'read' }, () => 1)
    cut.set('settle', 'after')
    await here.callTool({ name: 'read' }, () => 1)
    cut.clear()
    await clock.advance(SECOND_MS)
    for (let call = 0; call < 2; call++) await there.callTool({ name: 'read' }, () => 1)
    await settleDown()
    expect(names.filter((event) => event === 'limit_nearing')).toHaveLength(1)
    expect(names.filter((event) => event === 'call_settled')).toHaveLength(10)
  })
})
