import { describe, expect, it } from 'vitest'
import type { Reservation } from './call.ts'
import { mustReserve, settleDown } from './fixtures/governor.fixture.ts'
import { createPair } from './fixtures/governor-pair.fixture.ts'
import { createGate, createLateStore, createWire, createWired } from './fixtures/store-wire.fixture.ts'

const SECOND_MS = 1_000

describe('a store that cannot be reached', () => {
  it('a child whose opening was not answered does not keep its place', async () => {
    const { clock, cut, wired } = createWired()
    const run = await wired.open({ name: 'run', limits: { concurrency: 1 } })
    cut.set('open', 'after')
    await expect(run.open({ name: 'child' })).rejects.toMatchObject({ retryable: true })
    cut.clear()
    await clock.advance(SECOND_MS)
    expect((await run.open({ name: 'child', waitMs: 0 })).status()).toBe('running')
  })

  it('a resume that arrives late lifts no later pause', async () => {
    const { clock, cut, store, wired } = createWired()
    const run = await wired.open({ name: 'run', limits: { toolCalls: 1 }, onLimit: 'pause' })
    await run.callTool({ name: 'read' }, () => 1)
    await run.callTool({ name: 'read' }, () => 2)
    cut.set('resume', 'before')
    await run.setLimits({ toolCalls: 5 })
    expect(run.status()).toBe('running')
    await run.pause({ reason: 'lunch' })
    cut.clear()
    await clock.advance(10 * SECOND_MS)
    expect(run.status()).toBe('paused')
    const [reading] = (await store.read({ scopeId: run.id, atMs: clock.wallMs() }))!
    expect(reading!.status).toBe('paused')
  })

  it('an answer given in time counts, even if the request expires here before it is read', async () => {
    const { clock, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run', limits: { toolCalls: 1 }, onLimit: 'ask' })
    await run.callTool({ name: 'read' }, () => 1)
    const asking = run.callTool({ name: 'read' }, () => 2)
    await settleDown()
    await clock.advance(3_600 * SECOND_MS - 1)
    const [request] = await theirs.requests()
    await theirs.approve(request!.id)
    await clock.advance(1)
    expect(await asking).toMatchObject({ value: 2 })
  })

  it('is followed for all other scopes if one cannot be followed', async () => {
    const { clock, store, start } = createPair()
    const { wire } = createWire(store)
    const governor = start('wired', wire)
    const broken = await governor.open({ name: 'broken' })
    const sound = await governor.open({ name: 'sound' })
    const { read } = wire
    wire.read = (request) => (request.scopeId === broken.id ? Promise.reject(new Error('damaged')) : read(request))
    await store.pause({ scopeId: broken.id, reason: 'lunch', atMs: clock.wallMs() })
    await store.close({ scopeId: sound.id, status: 'stopped', atMs: clock.wallMs() })
    await clock.advance(SECOND_MS)
    expect(sound.signal.aborted).toBe(true)
  })
})

describe('a settlement that has not reached the store', () => {
  const cases = [
    ['another amount', (room: Reservation) => room.settle({ tokens: 1 })],
    ['nothing', (room: Reservation) => room.settle()],
    ['a release', (room: Reservation) => room.release()],
  ] as const

  it.each(cases)('is not overtaken by %s on the same reservation (law 3)', async (_, speakAgain) => {
    const { clock, cut, wired } = createWired()
    const run = await wired.open({ name: 'run', limits: { tokens: 1_000 } })
    const room = await mustReserve(run, { tokens: 100 })
    cut.set('settle', 'before')
    await room.settle({ tokens: 90 })
    cut.clear()
    await speakAgain(room)
    await clock.advance(10 * SECOND_MS)
    expect((await run.usage()).tokens).toMatchObject({ settled: 90, reserved: 0 })
  })

  it.each(cases)('is not overtaken while in progress: %s comes after it', async (_, speakAgain) => {
    const { clock, start, store } = createPair()
    const late = createLateStore(store)
    const run = await start('late', late.store).open({ name: 'run', limits: { tokens: 1_000 } })
    const room = await mustReserve(run, { tokens: 100 })
    const gate = createGate()
    const { settle } = late.store
    late.store.settle = async (request) => {
      late.store.settle = settle
      await gate.opened
      return settle(request)
    }
    const first = room.settle({ tokens: 90 })
    const second = speakAgain(room)
    await settleDown()
    gate.open()
    await Promise.all([first, second])
    await clock.advance(10 * SECOND_MS)
    expect((await run.usage()).tokens).toMatchObject({ settled: 90, reserved: 0 })
  })

  it('of one reservation delays no other', async () => {
    const { cut, wired } = createWired()
    const run = await wired.open({ name: 'run', limits: { tokens: 1_000 } })
    const [owed, other] = [await mustReserve(run, { tokens: 100 }), await mustReserve(run, { tokens: 100 })]
    cut.set('settle', 'before')
    await owed.settle({ tokens: 90 })
    cut.clear()
    await other.settle({ tokens: 5 })
    expect((await run.usage()).tokens).toMatchObject({ settled: 5, reserved: 100 })
  })
})

describe('a pause in progress', () => {
  it('is not lifted by an older reading', async () => {
    const { clock, store, start, names } = createPair()
    const late = createLateStore(store)
    const governor = start('late', late.store)
    const run = await governor.open({ name: 'run' })
    await clock.advance(0)
    const reading = late.holdNext('read')
    const before = createGate()
    const pause = late.store.pause
    late.store.pause = async (request) => {
      await before.opened
      return pause(request)
    }
    const pausing = run.pause()
    const finding = governor.find(run.id)
    await settleDown()
    reading.let()
    await settleDown()
    expect(run.status()).toBe('paused')
    before.open()
    await pausing
    await finding
    expect(run.status()).toBe('paused')
    expect(names.filter((event) => event === 'agent_resumed')).toEqual([])
  })

  it('does not outlast the resume that followed it, even if another resume was owed before it', async () => {
    const { clock, store, start } = createPair()
    const { wire } = createWire(store)
    const run = await start('wired', wire).open({ name: 'run', limits: { toolCalls: 1 }, onLimit: 'pause' })
    const callTool = () => run.callTool({ name: 'read' }, () => 1)
    const first = createGate()
    wire.pause = async (request) => {
      await first.opened
      return store.pause(request)
    }
    await callTool()
    const pausing = callTool()
    await settleDown()
    // They all queue behind that pause: a resume, a pause, and a resume.
    const resuming = run.setLimits({ toolCalls: 2 })
    await settleDown()
    await callTool()
    const pausingAgain = callTool()
    await settleDown()
    expect(run.status()).toBe('paused')
    const resumingAgain = run.setLimits({ toolCalls: 3 })
    await settleDown()
    expect(run.status()).toBe('running')
    first.open()
    await Promise.all([pausing, resuming, pausingAgain, resumingAgain])
    const [reading] = (await store.read({ scopeId: run.id, atMs: clock.wallMs() }))!
    expect(reading!.status).toBe('running')
    await clock.advance(SECOND_MS)
    expect(run.status()).toBe('running')
  })
})
