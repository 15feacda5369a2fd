import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../stores/memory/index.ts'
import { createGovernorFixture, settleDown } from '../fixtures/governor.fixture.ts'
import { createPair } from '../fixtures/governor-pair.fixture.ts'
import { createLateStore } from '../fixtures/store-wire.fixture.ts'

const read = { name: 'read' }

/** A governor on a store that answers late, with the events of a scope emitted after its end. */
function createLateGovernor() {
  const late = createLateStore(createMemoryStore())
  const fixture = createGovernorFixture({ store: late.store })
  const emittedAfterEnd = async (): Promise<string[]> => {
    await settleDown()
    const names = fixture.events.map(({ event }) => event)
    return names.slice(names.indexOf('scope_closed') + 1)
  }
  return { ...fixture, holdNext: late.holdNext, toldAfterEnd: emittedAfterEnd }
}

describe('a scope that ends during a store request', () => {
  it('is not paused again by an older reading', async () => {
    const { governor, holdNext, emitted } = createLateGovernor()
    const run = await governor.open({ name: 'run', limits: { toolCalls: { max: 1, action: 'ask' } } })
    await run.callTool(read, () => 1)
    const asking = run.callTool(read, () => 2).catch((error) => error.code)
    await settleDown()
    const [request] = await governor.requests()
    const reading = holdNext('read')
    const denied = governor.deny(request!.id)
    await settleDown()
    await run.stop()
    reading.let()
    await Promise.all([denied, asking])
    expect(run.status()).toBe('stopped')
    expect(await emitted('agent_paused')).toHaveLength(1)
  })

  it('leaves no request open that was being made', async () => {
    const { governor, clock, holdNext, toldAfterEnd } = createLateGovernor()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1 } })
    const asking = holdNext('ask')
    const asked = run.requestIncrease({ meter: 'toolCalls', amount: 1, reason: 'more to do' })
    await settleDown()
    await run.stop()
    asking.let()
    await expect(asked).rejects.toMatchObject({ code: 'scope_closed' })
    expect(clock.pendingTimers).toBe(0)
    expect(await toldAfterEnd()).toEqual([])
  })

  it('reports nothing about limits that were being written when it ended', async () => {
    const { governor, holdNext, toldAfterEnd } = createLateGovernor()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1 } })
    const reading = holdNext('read')
    const raised = run.setLimits({ toolCalls: 5 })
    await settleDown()
    await run.stop()
    reading.let()
    await raised
    expect(await toldAfterEnd()).toEqual([])
  })

  it('is not taken over after all, and none of its clocks run', async () => {
    const { clock, events, store, start, theirs } = createPair()
    const late = createLateStore(store)
    const governor = start('late', late.store)
    const limits = { toolCalls: { max: 1, action: 'pause' }, time: { max: '10s', nearing: [0.5] } } as const
    const run = await theirs.open({ name: 'run', limits })
    const found = (await governor.find(run.id))!
    const child = await found.open({ name: 'child' })
    await child.callTool(read, () => 1)
    await child.callTool(read, () => 2)
    expect(child.status()).toBe('paused')
    await run.setLimits({ toolCalls: 5 })
    await run.pause()
    // The first is the run's own; the second is the child's, which continues because of the raise.
    const resumed = [late.holdNext('resume')]
    const resuming = found.resume().catch((error) => error.code)
    await settleDown()
    resumed.push(late.holdNext('resume'))
    resumed[0]!.let()
    await settleDown()
    expect(child.status()).toBe('running')
    await found.stop()
    resumed[1]!.let()
    expect(await resuming).toBe('scope_closed')
    await clock.advance(20_000)
    expect(found.status()).toBe('stopped')
    expect(events.filter((event) => 'limit_kind' in event && event.limit_kind === 'time')).toEqual([])
  })

  it('does not live on in a handle found meanwhile', async () => {
    const { governor, holdNext } = createLateGovernor()
    const run = await governor.open({ name: 'run', limits: { time: '1h' } })
    const child = await run.open({ name: 'child' })
    await child.close()
    const reading = holdNext('read')
    const finding = governor.find(child.id)
    await settleDown()
    await run.stop()
    reading.let()
    await finding
    expect((await governor.find(run.id))!.status()).toBe('stopped')
  })

  it('also ends a child that it was about to adopt', async () => {
    const { clock, store, dead, start } = createPair()
    const late = createLateStore(store)
    const governor = start('late', late.store)
    const run = await governor.open({ name: 'run' })
    const gone = start('gone')
    await (await gone.find(run.id))!.open({ name: 'child', id: 'child', limits: { time: '1h' } })
    dead.add('gone')
    await store.assume({ holder: 'gone', atMs: clock.wallMs() })
    const reading = late.holdNext('read')
    const adopting = run.open({ name: 'child', id: 'child' }).catch((error) => error.code)
    await settleDown()
    await run.stop()
    reading.let()
    expect(await adopting).toBe('scope_closed')
    const child = (await store.read({ scopeId: 'child', atMs: clock.wallMs() }))!.at(-1)!
    expect(child.status).toBe('stopped')
  })
})
