import { describe, expect, it } from 'vitest'
import { settleDown } from '../fixtures/governor.fixture.ts'
import { createPair } from '../fixtures/governor-pair.fixture.ts'
import { createLateStore, createWire } from '../fixtures/store-wire.fixture.ts'

const SECOND_MS = 1_000

describe('a run that continues elsewhere', () => {
  it('B8: is adopted immediately by the process that opens it again, with its time and counters', async () => {
    const { clock, dead, names, start } = createPair()
    const gone = start('gone')
    const run = await gone.open({ name: 'run', id: 'job-1', limits: { time: '1m', toolCalls: 5 } })
    await run.callTool({ name: 'read' }, () => 1)
    await clock.advance(20 * SECOND_MS)
    await run.callTool({ name: 'read' }, () => 1)
    dead.add('gone')
    await clock.advance(3_600 * SECOND_MS)
    const again = await start('again').open({ name: 'run', id: 'job-1' })
    const { time, toolCalls } = await again.usage()
    expect([time.settled, toolCalls.settled, toolCalls.limit]).toEqual([20 * SECOND_MS, 2, 5])
    await clock.advance(40 * SECOND_MS)
    expect(again.signal.aborted).toBe(true)
    expect(names.filter((event) => event === 'scope_opened')).toHaveLength(1)
  })

  it('B8: is adopted even by the first operation of a new process', async () => {
    const { clock, dead, start } = createPair()
    const run = await start('gone').open({ name: 'run', id: 'job-1', limits: { time: '1m' } })
    expect(run.status()).toBe('running')
    dead.add('gone')
    const again = await start('again').open({ name: 'run', id: 'job-1' })
    await clock.advance(61 * SECOND_MS)
    expect(again.signal.aborted).toBe(true)
  })

  it('C9: adopted while paused, stays paused until it is resumed, and only then does its time count', async () => {
    const { clock, dead, start } = createPair()
    const run = await start('gone').open({ name: 'run', id: 'job-1', limits: { time: '1m' } })
    await clock.advance(10 * SECOND_MS)
    await run.pause({ conversation: ['so far'] })
    dead.add('gone')
    const again = await start('again').open({ name: 'run', id: 'job-1' })
    await clock.advance(3_600 * SECOND_MS)
    expect([again.status(), (await again.usage()).time.settled]).toEqual(['paused', 10 * SECOND_MS])
    expect(await again.resume()).toEqual(['so far'])
    await clock.advance(5 * SECOND_MS)
    expect((await again.usage()).time.settled).toBe(15 * SECOND_MS)
  })

  it('is suspended while a budget above it is paused, before and after it is taken over', async () => {
    const { clock, start, ours, theirs } = createPair()
    const team = await ours.budget('team')
    const run = await ours.open({ name: 'run', within: team, limits: { time: '1h' } })
    await run.pause()
    const third = start('third')
    await (await third.find('team'))!.pause()
    const found = (await theirs.find(run.id))!
    await found.resume()
    await clock.advance(10 * SECOND_MS)
    expect((await found.usage()).time.settled).toBe(0)
    await (await third.find('team'))!.resume()
    await clock.advance(10 * SECOND_MS)
    const { settled } = (await found.usage()).time
    expect(settled).toBeGreaterThan(9 * SECOND_MS)
    await (await third.find('team'))!.pause()
    await clock.advance(SECOND_MS)
    const standing = (await found.usage()).time.settled
    await clock.advance(10 * SECOND_MS)
    expect((await found.usage()).time.settled).toBe(standing)
  })

  it('leaves a paused child with the process that paused it, which learns of a manual resume', async () => {
    const { clock, store, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run' })
    const child = await run.open({ name: 'child' })
    await child.pause({ conversation: ['so far'] })
    await run.pause()
    await (await theirs.find(run.id))!.resume()
    await clock.advance(2 * SECOND_MS)
    expect(run.status()).toBe('detached')
    await store.resume({ scopeId: child.id, by: 'ann', atMs: clock.wallMs() })
    await clock.advance(2 * SECOND_MS)
    expect(child.status()).toBe('running')
    await child.close()
    const reading = await store.read({ scopeId: child.id, atMs: clock.wallMs() })
    expect(reading?.at(-1)?.status).toBe('completed')
  })

  it('is not paused by a reading from before it was taken over', async () => {
    const { clock, store, start, ours } = createPair()
    const run = await ours.open({ name: 'run' })
    await run.pause()
    const late = createLateStore(store)
    const theirs = start('late', late.store)
    const found = (await theirs.find(run.id))!
    const reading = late.holdNext('read')
    const finding = theirs.find(run.id)
    await settleDown()
    const resuming = found.resume()
    await settleDown()
    reading.let()
    await resuming
    await finding
    await clock.advance(SECOND_MS)
    expect(found.status()).toBe('running')
    expect(await found.callTool({ name: 'read' }, () => 1)).toMatchObject({ value: 1 })
  })

  it('does not affect scopes that others run below it, and can be found again by its former process', async () => {
    const { clock, store, start, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run' })
    const below = await (await start('third').find(run.id))!.open({ name: 'below' })
    await ours.find(below.id)
    await run.pause()
    await (await theirs.find(run.id))!.resume()
    await clock.advance(SECOND_MS)
    expect(run.signal.aborted).toBe(true)
    expect(await below.callTool({ name: 'read' }, () => 1)).toMatchObject({ value: 1 })
    expect((await store.read({ scopeId: below.id, atMs: clock.wallMs() }))?.at(-1)?.status).toBe('running')
    const found = (await ours.find(run.id))!
    expect([found.status(), found.signal.aborted]).toEqual(['running', false])
    await expect(run.resume()).rejects.toMatchObject({ code: 'scope_closed' })
  })

  it('is not kept by a process that loses the scope above it during the takeover', async () => {
    const { clock, store, start, theirs } = createPair()
    const late = createLateStore(store)
    const governor = start('late', late.store)
    const run = await governor.open({ name: 'run' })
    const child = await (await theirs.find(run.id))!.open({ name: 'child' })
    await child.pause({ conversation: ['so far'] })
    const found = (await governor.find(child.id))!
    const resumed = late.holdNext('resume')
    const resuming = found.resume()
    await settleDown()
    await store.assume({ holder: 'late', atMs: clock.wallMs() })
    await (await theirs.find(run.id))!.resume()
    await clock.advance(SECOND_MS)
    resumed.let()
    await expect(resuming).rejects.toMatchObject({ code: 'scope_closed' })
    expect(await (await theirs.find(child.id))!.resume()).toEqual(['so far'])
  })

  it('is not taken back by an earlier owner after a later one died', async () => {
    const { clock, store, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run' })
    await run.pause({ conversation: ['so far'] })
    await store.assume({ holder: 'ours', atMs: clock.wallMs() })
    await (await theirs.find(run.id))!.resume()
    await store.assume({ holder: 'theirs', atMs: clock.wallMs() })
    await ours.open({ name: 'next' })
    const reading = (await store.read({ scopeId: run.id, atMs: clock.wallMs() }))?.at(-1)
    expect([run.status(), reading?.owner, reading?.isOrphaned]).toEqual(['detached', 'theirs', true])
    const again = (await ours.find(run.id))!
    await again.resume()
    expect(again.status()).toBe('running')
  })

  it('stops here even if its children’s end cannot be written', async () => {
    const { clock, store, start, theirs } = createPair()
    const { wire } = createWire(store)
    const run = await start('wired', wire).open({ name: 'run' })
    await run.open({ name: 'child' })
    await run.pause()
    await (await theirs.find(run.id))!.resume()
    wire.close = () => Promise.reject(new Error('damaged'))
    await clock.advance(SECOND_MS)
    expect(run.signal.aborted).toBe(true)
  })
})
