import { describe, expect, it } from 'vitest'
import { edgeOf } from './edge.ts'
import { createGovernorFixture, settleDown } from './fixtures/governor.fixture.ts'
import { createPair } from './fixtures/governor-pair.fixture.ts'
import { answerFrom, modelCall, TEST_PRICES, writesAll } from './fixtures/model.fixture.ts'
import { CallNotSentError, notRunResult, stoppedToolResult } from './index.ts'

const create = () => createGovernorFixture({ prices: TEST_PRICES })

describe('the parts of a scope for adapters', () => {
  it('limits() has the limits of the whole path, root first', async () => {
    const { governor } = create()
    const team = await governor.budget('team:core', { limits: { cost: 10 } })
    const run = await governor.open({ name: 'run', within: team, limits: { toolCalls: 5 } })
    expect(run.limits().map(({ meter }) => meter)).toEqual(['cost', 'toolCalls'])
  })

  it('isChargedTo says whose spending counts on which scope', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    const child = await run.open({ name: 'child' })
    const other = await governor.open({ name: 'other' })
    expect([edgeOf(child).isChargedTo(run), edgeOf(run).isChargedTo(run)]).toEqual([true, true])
    expect([edgeOf(run).isChargedTo(child), edgeOf(other).isChargedTo(run)]).toEqual([false, false])
  })

  it('expectWrapUp gives a scope its closing call, and its part of a time limit', async () => {
    const { governor, clock } = create()
    const run = await governor.open({ name: 'run', limits: { modelCalls: 2, time: '60s' } })
    expect(edgeOf(run).expectWrapUp()).toBe(true)
    await run.callModel(modelCall(10, 10), writesAll(10))
    expect((await run.usage()).modelCalls).toMatchObject({ settled: 1, held: 1 })
    await clock.advance(54_000)
    expect(await run.callTool({ name: 'read' }, () => 1)).toMatchObject({ breach: { meter: 'time' } })
    expect(answerFrom(await run.callWrapUp(modelCall(10, 10), writesAll(10)))).not.toBe(null)
  })

  it('expectWrapUp respects wrapUp: false, wherever the scope is found again', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', wrapUp: false, limits: { modelCalls: 2 } })
    expect(edgeOf(run).expectWrapUp()).toBe(false)
    await run.callModel(modelCall(10, 10), writesAll(10))
    expect((await run.usage()).modelCalls.held).toBe(0)
    expect(() => edgeOf({ ...run }).expectWrapUp()).toThrow('a scope of a governor')
  })

  it('a call that was not sent after all releases its room', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { tokens: 10_000 } })
    const call = run.callModel(modelCall(10, 10), () => Promise.reject(new CallNotSentError('gone')))
    await expect(call).rejects.toMatchObject({ code: 'call_not_sent', cause: 'gone' })
    expect((await run.usage()).tokens).toMatchObject({ settled: 0, reserved: 0 })
  })

  it('a loop that ended with its pause continues when it is resumed, not by a raise alone', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 0 }, onLimit: 'pause' })
    await run.callTool({ name: 'read' }, () => 1)
    await run.pause({ conversation: ['hello'], loopEnds: true })
    await run.setLimits({ toolCalls: 5 })
    expect(run.status()).toBe('paused')
    expect(await run.resume()).toEqual(['hello'])
    expect(await run.callTool({ name: 'read' }, () => 1)).toMatchObject({ value: 1 })
  })

  it('keepConversation: a process that dies while a question waits for its answer loses nothing', async () => {
    const { dead, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run', limits: { toolCalls: { max: 0, action: 'ask' } } })
    edgeOf(run).keepConversation(() => ['so far'])
    void run.callTool({ name: 'read' }, () => 1)
    await settleDown()
    dead.add('ours')
    expect(await (await theirs.find(run.id))!.resume({ by: 'ann' })).toEqual(['so far'])
  })

  it('keepConversation: a conversation passed to pause() takes precedence, and one that cannot be stored never prevents a pause', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    edgeOf(run).keepConversation(() => ['so far'])
    await run.pause({ conversation: ['the whole'] })
    expect(await run.resume()).toEqual(['the whole'])
    const other = await governor.open({ name: 'other' })
    edgeOf(other).keepConversation(() => ({ cost: 1n }))
    await other.pause()
    expect([other.status(), await other.resume()]).toEqual(['paused', null])
    edgeOf(other).keepConversation(() => ['never'])
    edgeOf(other).keepConversation(null)
    await other.pause()
    expect(await other.resume()).toBe(null)
    expect(() => edgeOf({ ...run }).keepConversation(null)).toThrow('a scope of a governor')
  })

  it('words the results of a stopped tool, and of one that a person’s pause kept from running', () => {
    expect(stoppedToolResult({ by: null, mayBeHalfDone: false })).toBe('Stopped before it finished: its time was up.')
    expect(stoppedToolResult({ by: null, mayBeHalfDone: true })).toContain('(unsafe_boundary)')
    expect(notRunResult(null)).toBe(
      'Not run: the run was paused. Once it resumes, call this again if you still need it.',
    )
  })
})
