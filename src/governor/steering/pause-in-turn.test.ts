import { describe, expect, it } from 'vitest'
import { settleDown } from '../fixtures/governor.fixture.ts'
import { createPair } from '../fixtures/governor-pair.fixture.ts'
import { createGate, createLateStore, createWire } from '../fixtures/store-wire.fixture.ts'
import type { Scope } from '../governor.ts'

/** A run with one tool call, used up, on a store that can be cut off or answer late. */
async function createSpent(onLimit: 'ask' | 'pause') {
  const { clock, store, start, names } = createPair()
  const { cut, wire } = createWire(store)
  const late = createLateStore(wire)
  const governor = start('late', late.store)
  const run = await governor.open({ name: 'run', limits: { toolCalls: 1 }, onLimit })
  await read(run)
  /** Its status here and in the store. */
  const statuses = async (): Promise<readonly unknown[]> => {
    await settleDown()
    const [reading] = (await store.read({ scopeId: run.id, atMs: clock.wallMs() }))!
    return [run.status(), reading!.status]
  }
  return { clock, cut, governor, late, run, statuses, names }
}

function read(run: Scope) {
  return run.callTool({ name: 'read' }, () => 'read')
}

describe('a pause and a resume of one scope', () => {
  it('reach the store in the order in which they were made', async () => {
    const { late, run, statuses } = await createSpent('ask')
    const arrival = createGate()
    const { pause } = late.store
    late.store.pause = (request) => arrival.opened.then(() => pause(request))
    const asking = read(run)
    await settleDown()
    await run.setLimits({ toolCalls: 2 })
    await settleDown()
    arrival.open()
    expect(await asking).toMatchObject({ value: 'read' })
    expect(await statuses()).toEqual(['running', 'running'])
  })

  it('run in order if a pause is requested during a resume', async () => {
    const { late, run, statuses } = await createSpent('ask')
    await run.pause()
    const answer = late.holdNext('resume')
    const resuming = run.resume()
    await settleDown()
    const pausing = run.pause()
    answer.let()
    await Promise.all([resuming, pausing])
    expect(await statuses()).toEqual(['paused', 'paused'])
  })

  it('leave the scope as the last one says, even if none was answered before the next', async () => {
    const { late, run, statuses } = await createSpent('ask')
    await run.pause()
    const answer = late.holdNext('resume')
    const made = [run.resume(), run.pause(), run.resume()]
    await settleDown()
    answer.let()
    await Promise.all(made)
    expect(await statuses()).toEqual(['running', 'running'])
  })

  it('a request that is made and answered during a resume pauses nothing', async () => {
    const { late, run, statuses } = await createSpent('ask')
    const ask = late.holdNext('ask')
    const asking = read(run)
    await settleDown()
    await run.pause()
    const answer = late.holdNext('resume')
    const resuming = run.resume()
    await settleDown()
    ask.let()
    await settleDown()
    await run.setLimits({ toolCalls: 2 })
    answer.let()
    await resuming
    expect(await asking).toMatchObject({ value: 'read' })
    expect(await statuses()).toEqual(['running', 'running'])
  })

  it('both reach the store, even if the first is answered last', async () => {
    const { late, run, statuses } = await createSpent('pause')
    await read(run)
    const answer = late.holdNext('resume')
    const raising = run.setLimits({ toolCalls: 2 })
    await settleDown()
    await read(run)
    const refused = read(run)
    await settleDown()
    expect(run.status()).toBe('paused')
    const again = run.setLimits({ toolCalls: 3 })
    await settleDown()
    answer.let()
    await Promise.all([raising, refused, again])
    expect(await statuses()).toEqual(['running', 'running'])
  })
})

describe('a resume that has not reached the store', () => {
  it('is not undone by an older reading', async () => {
    const { clock, cut, governor, late, run, statuses, names } = await createSpent('pause')
    await read(run)
    cut.set('resume', 'before')
    await run.setLimits({ toolCalls: 2 })
    const reading = late.holdNext('read')
    const finding = governor.find(run.id)
    await settleDown()
    cut.clear()
    await clock.advance(100)
    reading.let()
    await finding
    expect(await statuses()).toEqual(['running', 'running'])
    expect(names.filter((event) => event === 'agent_paused')).toHaveLength(1)
  })

  it('is written when the scope is read, even if the store refused it at first', async () => {
    const { governor, late, run, statuses } = await createSpent('ask')
    const asking = read(run)
    await settleDown()
    const { resume } = late.store
    late.store.resume = () => Promise.reject(new Error('damaged'))
    await run.setLimits({ toolCalls: 2 })
    expect(await asking).toMatchObject({ value: 'read' })
    expect(await statuses()).toEqual(['running', 'paused'])
    late.store.resume = resume
    await governor.find(run.id)
    expect(await statuses()).toEqual(['running', 'running'])
  })
})
