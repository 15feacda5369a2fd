import { describe, expect, it } from 'vitest'
import { isPending, mustReserve, settleDown } from '../fixtures/governor.fixture.ts'
import { createPair } from '../fixtures/governor-pair.fixture.ts'

const SECOND_MS = 1_000

describe('a scope that another process steers', () => {
  it('stops within a second after it is paused there, and continues after it is resumed there', async () => {
    const { clock, store, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run', limits: { time: '1h' } })
    const found = (await theirs.find(run.id))!
    await found.pause({ reason: 'lunch', by: 'ann' })
    await expect(run.callTool({ name: 'read' }, () => 1)).rejects.toMatchObject({ code: 'scope_paused' })
    expect(run.status()).toBe('paused')
    await clock.advance(60 * SECOND_MS)
    await store.resume({ scopeId: run.id, by: 'ann', atMs: clock.wallMs() })
    await clock.advance(SECOND_MS)
    expect(run.status()).toBe('running')
    expect((await run.usage()).time.settled).toBeLessThanOrEqual(SECOND_MS)
    expect(await run.callTool({ name: 'read' }, () => 1)).toMatchObject({ value: 1 })
  })

  it('ends when it is stopped there: its signal is aborted, and nothing more is admitted', async () => {
    const { clock, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run' })
    const child = await run.open({ name: 'child' })
    await (await theirs.find(run.id))!.stop('enough')
    await clock.advance(SECOND_MS)
    expect([run.status(), child.status()]).toEqual(['stopped', 'stopped'])
    expect([run.signal.aborted, child.signal.aborted]).toEqual([true, true])
    await expect(child.reserve({ toolCalls: 1 })).rejects.toMatchObject({ code: 'scope_closed' })
  })

  it('continues as soon as the limit that paused it is raised there', async () => {
    const { clock, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run', limits: { toolCalls: 1 }, onLimit: 'pause' })
    await run.callTool({ name: 'read' }, () => 1)
    expect(await run.callTool({ name: 'read' }, () => 2)).toMatchObject({ kind: 'refused' })
    expect(run.status()).toBe('paused')
    await (await theirs.find(run.id))!.setLimits({ toolCalls: 5 }, { by: 'ann' })
    await clock.advance(SECOND_MS)
    expect(run.status()).toBe('running')
    expect(await run.callTool({ name: 'read' }, () => 2)).toMatchObject({ value: 2 })
  })

  it('has more time if its clock is raised there', async () => {
    const { clock, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run', limits: { time: '10s' } })
    await clock.advance(8 * SECOND_MS)
    await (await theirs.find(run.id))!.setLimits({ time: '1m' })
    await clock.advance(20 * SECOND_MS)
    expect(run.signal.aborted).toBe(false)
    await clock.advance(40 * SECOND_MS)
    expect(run.signal.aborted).toBe(true)
  })

  it('learns of an answer there, and continues with exactly what was approved', async () => {
    const { clock, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run', limits: { toolCalls: 1 }, onLimit: 'ask' })
    await run.callTool({ name: 'read' }, () => 1)
    const asking = run.callTool({ name: 'read' }, () => 2)
    await settleDown()
    const [request] = await theirs.requests()
    await theirs.approve(request!.id, { amount: 3, by: 'ann' })
    await clock.advance(SECOND_MS)
    expect(await asking).toMatchObject({ value: 2 })
    expect((await run.usage()).toolCalls).toMatchObject({ limit: 4, settled: 2 })
    await expect(ours.approve(request!.id)).rejects.toMatchObject({ code: 'unknown_request' })
  })

  it('ends if its request is denied there', async () => {
    const { clock, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run', limits: { toolCalls: 1 }, onLimit: 'ask' })
    await run.callTool({ name: 'read' }, () => 1)
    const asking = run.callTool({ name: 'read' }, () => 2)
    await settleDown()
    await theirs.deny((await theirs.requests())[0]!.id, { by: 'bob' })
    await clock.advance(SECOND_MS)
    expect(await asking).toMatchObject({ kind: 'refused', breach: { action: 'ask' } })
  })

  it('applies both of two concurrent raises, from here and from there', async () => {
    const { clock, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run', limits: { toolCalls: 1, tokens: 10 } })
    const found = (await theirs.find(run.id))!
    await Promise.all([run.setLimits({ toolCalls: 5 }), found.setLimits({ tokens: 50 })])
    await clock.advance(SECOND_MS)
    const { toolCalls, tokens } = await run.usage()
    expect([toolCalls.limit, tokens.limit]).toEqual([5, 50])
  })
})

describe('a budget of several processes', () => {
  it('is one: what one process has spent the other cannot spend, and room that is freed there is noticed here', async () => {
    const { clock, ours, theirs } = createPair()
    const [mine, yours] = await Promise.all([
      ours.budget('team:core', { limits: { tokens: 100 } }),
      theirs.budget('team:core'),
    ])
    const there = await mustReserve(await theirs.open({ name: 'there', within: yours }), { tokens: 80 })
    const here = await ours.open({ name: 'here', within: mine })
    const waiting = here.reserve({ tokens: 50 })
    await clock.advance(SECOND_MS)
    expect(await isPending(waiting)).toBe(true)
    await there.settle({ tokens: 10 })
    await clock.advance(SECOND_MS)
    expect(await waiting).toMatchObject({ kind: 'granted' })
    expect((await yours.usage()).tokens).toMatchObject({ settled: 10, reserved: 50, remaining: 40 })
  })

  it('has the limits that were written last, in any process', async () => {
    const { clock, ours, theirs } = createPair()
    const mine = await ours.budget('team:core', { limits: { tokens: 100 } })
    await (await theirs.budget('team:core')).setLimits({ tokens: 500 })
    await clock.advance(SECOND_MS)
    expect((await mine.usage()).tokens.limit).toBe(500)
    expect(mine.explain()).toMatchObject([{ meter: 'tokens', max: 500 }])
  })
})

describe('a process that died', () => {
  it('is charged in full for what it left open, which is reported here, and callers no longer wait for that room', async () => {
    const { clock, dead, names, start } = createPair()
    const gone = start('gone')
    const pool = await gone.budget('team:core', { limits: { tokens: 100 } })
    const run = await gone.open({ name: 'run', within: pool })
    await mustReserve(run, { tokens: 60 })
    dead.add('gone')
    const watching = start('watching')
    await clock.advance(SECOND_MS)
    const seen = await watching.budget('team:core')
    expect((await seen.usage()).tokens).toMatchObject({ settled: 60, reserved: 0, remaining: 40 })
    expect(names.filter((event) => event === 'reservation_assumed')).toHaveLength(1)
  })

  it('E1: leaves its paused run to continue elsewhere, once, with its conversation, counters and time', async () => {
    const { clock, dead, start, ours, theirs } = createPair()
    const gone = start('gone')
    const run = await gone.open({ name: 'run', limits: { toolCalls: 5, time: '1m' } })
    await run.callTool({ name: 'read' }, () => 1)
    await clock.advance(10 * SECOND_MS)
    await run.pause({ conversation: [{ role: 'user', content: 'hi' }] })
    dead.add('gone')
    await clock.advance(3_600 * SECOND_MS)
    const found = (await ours.find(run.id))!
    expect(found.status()).toBe('paused')
    expect(await found.resume({ by: 'ann' })).toEqual([{ role: 'user', content: 'hi' }])
    await expect((await theirs.find(run.id))!.resume()).rejects.toMatchObject({ code: 'not_paused' })
    expect(found.status()).toBe('running')
    const { toolCalls, time } = await found.usage()
    expect([toolCalls.settled, time.settled]).toEqual([1, 10 * SECOND_MS])
    await clock.advance(50 * SECOND_MS)
    expect(found.signal.aborted).toBe(true)
  })

  it('leaves its working run to be taken over once; its own loop would find it gone', async () => {
    const { dead, start, ours } = createPair()
    const gone = start('gone')
    const run = await gone.open({ name: 'run' })
    dead.add('gone')
    const found = (await ours.find(run.id))!
    expect(await found.resume()).toBe(null)
    await expect(found.resume()).rejects.toMatchObject({ code: 'not_paused' })
    expect(await found.callTool({ name: 'read' }, () => 1)).toMatchObject({ value: 1 })
  })
})

describe('a run that is taken over', () => {
  it('stops here: a living process that paused it finds it continued elsewhere', async () => {
    const { clock, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run' })
    await run.pause({ conversation: ['so far'] })
    expect(await (await theirs.find(run.id))!.resume()).toEqual(['so far'])
    await expect(run.resume()).rejects.toMatchObject({ code: 'not_paused' })
    await clock.advance(SECOND_MS)
    expect(run.signal.aborted).toBe(true)
    await expect(run.callTool({ name: 'read' }, () => 1)).rejects.toMatchObject({ code: 'scope_closed' })
  })
})
