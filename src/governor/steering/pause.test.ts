import { describe, expect, it } from 'vitest'
import { isStintError } from '../../core/index.ts'
import { breachIn, createGovernorFixture, mustReserve, settleDown } from '../fixtures/governor.fixture.ts'
import { answer, deferred, modelCall, writesAll } from '../fixtures/model.fixture.ts'

describe('a pause that a raise has lifted', () => {
  it('may still be resumed, once, until the scope works again', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1 }, onLimit: 'pause' })
    await run.callTool({ name: 'read' }, () => 1)
    await run.callTool({ name: 'read' }, () => 2)
    await run.pause({ conversation: ['so far'] })
    await run.setLimits({ toolCalls: 9 })
    expect(run.status()).toBe('running')
    expect(await run.resume()).toEqual(['so far'])
    await expect(run.resume()).rejects.toMatchObject({ code: 'not_paused' })
  })

  it('is over once it has worked', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1 }, onLimit: 'pause' })
    await run.callTool({ name: 'read' }, () => 1)
    await run.callTool({ name: 'read' }, () => 2)
    await run.setLimits({ toolCalls: 9 })
    await run.callTool({ name: 'read' }, () => 2)
    await expect(run.resume()).rejects.toMatchObject({ code: 'not_paused' })
  })
})

describe('pause', () => {
  it('E1: the current tool finishes, the state is saved, and one resume continues with counters intact', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 2 }, onLimit: 'pause', taskId: 'task 7' })
    const running = deferred<string>()
    const tool = run.callTool({ name: 'slow' }, () => running.promise)
    await run.callTool({ name: 'quick' }, () => 'one')
    expect(await run.callTool({ name: 'third' }, () => 'never')).toMatchObject({
      kind: 'refused',
      breach: { action: 'pause', meter: 'toolCalls' },
    })
    expect(run.status()).toBe('paused')
    await run.pause({ conversation: ['hello', 'world'] })
    running.resolve('finished')
    expect(await tool).toMatchObject({ value: 'finished' })
    expect(await emitted('agent_paused')).toMatchObject([
      { limit_kind: 'toolCalls', used: 1, resume_url: '/tasks/task%207/resume' },
    ])

    await run.setLimits({ toolCalls: 4 }, { by: 'ann' })
    expect(run.status()).toBe('running')
    expect(await emitted('agent_resumed')).toMatchObject([{ by: 'ann', turns: 2 }])
    await run.callTool({ name: 'third' }, () => 'now')
    expect((await run.usage()).toolCalls).toMatchObject({ settled: 3, remaining: 1 })
    await expect(run.resume()).rejects.toSatisfy((error) => isStintError(error, 'not_paused'))
  })

  it('E1: a person pauses and resumes it, and gets the conversation back', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run' })
    const conversation = [{ role: 'user', content: 'hi' }]
    await run.pause({ conversation, reason: 'lunch' })
    await expect(run.callTool({ name: 'tool' }, () => 1)).rejects.toMatchObject({ code: 'scope_paused' })
    await expect(run.open({ name: 'child' })).rejects.toMatchObject({ code: 'scope_paused' })
    expect(await (await governor.find(run.id))?.resume({ by: 'bob' })).toBe(conversation)
    await expect(run.resume()).rejects.toThrow(/is running, not paused/)
    expect(await run.callTool({ name: 'tool' }, () => 1)).toMatchObject({ value: 1 })
  })

  it('refuses callers waiting for room', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    await mustReserve(run, { tokens: 90 })
    const waiting = expect(run.reserve({ tokens: 50 })).rejects.toMatchObject({ code: 'scope_paused' })
    await settleDown()
    await run.pause()
    await waiting
  })

  it('C9: paused time counts neither for the agent nor for a parent that only waits for it', async () => {
    const { governor, clock } = createGovernorFixture()
    const parent = await governor.open({ name: 'parent', limits: { time: '1m' } })
    const childEnded = deferred<string>()
    const tool = parent.callTool({ name: 'subagent' }, async () => {
      await parent.open({ name: 'child', id: 'child', limits: { time: '1m', wallTime: '20s' } })
      return childEnded.promise
    })
    await settleDown()
    const child = (await governor.find('child'))!
    await clock.advance(10_000)
    await child.pause()
    await clock.advance(3_600_000)
    expect([(await child.usage()).time.settled, (await parent.usage()).time.settled]).toEqual([10_000, 10_000])
    await child.resume()
    expect((await child.usage()).wallTime.settled).toBe(0)
    await clock.advance(15_000)
    expect([(await child.usage()).time.settled, (await parent.usage()).time.settled]).toEqual([25_000, 25_000])
    expect(child.signal.aborted).toBe(false)
    childEnded.resolve('done')
    await tool
  })

  it('C9: the clocks below a paused scope stop too, even those of a child opened meanwhile', async () => {
    const { governor, clock } = createGovernorFixture()
    const pool = await governor.open({ name: 'pool', limits: { toolCalls: { max: 1, action: 'ask' } } })
    const child = await pool.open({ name: 'child', limits: { time: '10m' } })
    const grandchild = await child.open({ name: 'grandchild', limits: { time: '10m' } })
    await pool.callTool({ name: 'read' }, () => 1)
    const asking = pool.callTool({ name: 'read' }, () => 2)
    await settleDown()
    const late = await pool.open({ name: 'late', limits: { time: '10m' }, needs: { modelCalls: 1 } })
    await clock.advance(3_500_000)
    const used = async () =>
      Promise.all([child, grandchild, late].map(async (each) => (await each.usage()).time.settled))
    expect(await used()).toEqual([0, 0, 0])
    await pool.setLimits({ toolCalls: 5 })
    await asking
    await clock.advance(1_000)
    expect(await used()).toEqual([1_000, 1_000, 1_000])
  })

  it('E10: a child pauses inside a tool call: the parent gets its handle as the result, and the parent’s clock keeps running', async () => {
    const { governor, clock } = createGovernorFixture()
    const parent = await governor.open({ name: 'parent', limits: { time: '1m' } })
    const result = await parent.callTool({ name: 'subagent' }, async () => {
      const child = await parent.open({ name: 'child', limits: { toolCalls: 1 }, onLimit: 'pause' })
      await child.callTool({ name: 'read' }, () => 1)
      const refused = await child.callTool({ name: 'read' }, () => 2)
      return { status: child.status(), handle: child.id, breach: breachIn(refused) }
    })
    expect(result).toMatchObject({ value: { status: 'paused', breach: { scopePath: 'parent/child' } } })
    expect(parent.status()).toBe('running')
    await clock.advance(5_000)
    expect((await parent.usage()).time.settled).toBe(5_000)
    const handle = result.kind === 'done' ? result.value.handle : ''
    await (await governor.find(handle))!.setLimits({ toolCalls: 2 })
    expect(await (await governor.find(handle))!.callTool({ name: 'read' }, () => 2)).toMatchObject({ value: 2 })
  })

  it('a pool that pauses stops the whole run, not the child that asked', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1 }, onLimit: 'pause' })
    const child = await run.open({ name: 'child' })
    await child.callTool({ name: 'read' }, () => 1)
    expect(await child.callTool({ name: 'read' }, () => 2)).toMatchObject({ breach: { scope: run.id } })
    expect([run.status(), child.status()]).toEqual(['paused', 'running'])
  })

  it('a clock with pause is stopped, and a scope that continues without more time is paused again', async () => {
    const { governor, clock, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { time: '10s' }, onLimit: 'pause' })
    await clock.advance(60_000)
    expect([run.status(), (await run.usage()).time.settled]).toEqual(['paused', 10_000])
    expect(await run.callTool({ name: 'read' }, () => 1)).toMatchObject({ kind: 'refused', breach: { meter: 'time' } })
    await run.resume()
    expect(run.status()).toBe('paused')
    await run.setLimits({ time: '20s' })
    expect(run.status()).toBe('running')
    expect(run.signal.aborted).toBe(false)
    expect(await emitted('agent_paused')).toHaveLength(2)
  })

  it('E12: releases the hold, and takes it again when it continues', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: '100k' }, wrapUp: true })
    await run.callModel(modelCall(3_000, 500, { price: null }), writesAll(3_000))
    const held = (await run.usage()).tokens.held
    expect(held).toBe(3_000 + 500 + 100 + 1_000)
    await run.pause()
    expect((await run.usage()).tokens.held).toBe(0)
    await run.resume()
    expect((await run.usage()).tokens.held).toBe(held)
  })

  it('a call that settles while its scope is paused takes no hold', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: '100k' }, wrapUp: true })
    const running = deferred<ReturnType<typeof answer>>()
    const call = run.callModel(modelCall(3_000, 500, { price: null }), () => running.promise)
    await settleDown()
    await run.pause()
    running.resolve(answer(3_000, 500))
    await call
    expect((await run.usage()).tokens.held).toBe(0)
  })
})
