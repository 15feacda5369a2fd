import { describe, expect, it } from 'vitest'
import { createManualClock } from '../testing/manual-clock.ts'
import { CallNotSentError } from './calls/ends/call-reach.ts'
import { createGovernor } from './create-governor.ts'
import { edgeOf } from './edge.ts'

const CALL = { model: 'claude-haiku-5-5', inputTokens: 100, maxOutputTokens: 500 }
const USED = { value: 'an answer', usage: { inputTokens: 100, outputTokens: 10 } }

describe('tool calls that come with an answer', () => {
  it('are reserved with the call, and settled at their actual number', async () => {
    const scope = await createGovernor().open({ name: 'run', limits: { toolCalls: 3 } })
    await scope.callModel({ ...CALL, toolCalls: 1 }, async ({ report }) => {
      expect((await scope.usage()).toolCalls).toMatchObject({ settled: 0, reserved: 1 })
      report({ toolCalls: 0 })
      return USED
    })
    expect((await scope.usage()).toolCalls).toMatchObject({ settled: 0, reserved: 0 })
    await scope.callModel({ ...CALL, toolCalls: 1 }, async () => USED)
    expect((await scope.usage()).toolCalls).toMatchObject({ settled: 1, reserved: 0 })
  })

  it('if none is left, the limit acts before the call', async () => {
    const scope = await createGovernor().open({ name: 'run', limits: { toolCalls: 1 }, wrapUp: true })
    let calls = 0
    const run = async () => {
      calls++
      return USED
    }
    await scope.callModel({ ...CALL, toolCalls: 1 }, run)
    const refused = await scope.callModel({ ...CALL, toolCalls: 1 }, run)
    expect(refused).toMatchObject({ kind: 'refused', mayFitLater: false, breach: { meter: 'toolCalls' } })
    expect(await scope.callModel(CALL, run)).toMatchObject({ kind: 'refused' })
    expect(calls).toBe(1)
    expect(await scope.callWrapUp(CALL, run)).toMatchObject({ kind: 'done' })
  })

  it('are counted even if the usage is unknown, and so are searches', async () => {
    const scope = await createGovernor().open({ name: 'run', limits: { toolCalls: 9 } })
    const failing = scope.callModel({ ...CALL, toolCalls: 1 }, async ({ report, firstByte }) => {
      firstByte()
      report({ toolCalls: 0 })
      throw new Error('broken')
    })
    await expect(failing).rejects.toThrow('broken')
    expect(await scope.usage()).toMatchObject({ toolCalls: { settled: 0 }, tokens: { settled: 600 } })
    const priced = { ...CALL, model: 'claude-sonnet-4-5', webSearches: 5 }
    const costs: number[] = []
    for (const webSearches of [0, 2]) {
      const before = (await scope.usage()).cost.settled
      await scope.callModel(priced, async ({ report }) => {
        report({ webSearches })
        return USED
      })
      costs.push((await scope.usage()).cost.settled - before)
    }
    expect(costs[1]! - costs[0]!).toBe(2 * 10_000_000)
  })

  it('are those of the answer, if it differs from what was reported during the call', async () => {
    const scope = await createGovernor().open({ name: 'run', limits: { toolCalls: 9 } })
    await scope.callModel({ ...CALL, toolCalls: 4 }, async ({ report }) => {
      report({ toolCalls: 3 })
      return { ...USED, toolCalls: 2 }
    })
    expect(await scope.usage()).toMatchObject({ toolCalls: { settled: 2 } })
  })

  it('a report with an unknown field is refused, and the call is charged at its worst case', async () => {
    const scope = await createGovernor().open({ name: 'run', limits: { tokens: 9_000 } })
    const misspelled: object = { inputTokens: 5 }
    const call = scope.callModel(CALL, async ({ firstByte, report }) => {
      firstByte()
      report(misspelled)
      return USED
    })
    await expect(call).rejects.toThrow('grant.report has no option "inputTokens"')
    expect(await scope.usage()).toMatchObject({ tokens: { settled: 600 } })
  })
})

describe('a wait', () => {
  it('that is too long is refused for a retrying caller, and ends nothing', async () => {
    const clock = createManualClock()
    const scope = await createGovernor({ clock }).open({ name: 'run', limits: { tokens: 700 } })
    const inFlight = await scope.reserve({ tokens: 600 })
    const waiting = scope.callModel({ ...CALL, waitMs: 1_000, comesAgain: true }, async () => USED)
    await clock.advance(1_000)
    expect(await waiting).toMatchObject({ kind: 'refused', mayFitLater: true })
    if (inFlight.kind === 'granted') await inFlight.settle({ tokens: 0 })
    expect(await scope.callModel(CALL, async () => USED)).toMatchObject({ kind: 'done' })
  })

  it('ends when the waiting caller has gone away', async () => {
    const scope = await createGovernor().open({ name: 'run', limits: { tokens: 700 } })
    await scope.reserve({ tokens: 600 })
    const gone = new AbortController()
    const waiting = scope.callModel({ ...CALL, comesAgain: true, signal: gone.signal }, async () => USED)
    gone.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'call_not_sent' })
  })
})

describe('the closing call of an agent whose program is only known by its requests', () => {
  it('is held until the conversation lapses, is admitted once after the end, and then is requested like any other', async () => {
    const governor = createGovernor()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1, modelCalls: 10 } })
    const agent = await run.open({ name: 'agent' })
    expect(edgeOf(agent).expectWrapUp({ runsElsewhere: true })).toBe(true)
    await agent.callModel({ ...CALL, toolCalls: 1 }, async () => USED)
    expect((await run.usage()).modelCalls.held).toBe(1)
    await edgeOf(agent).lapseConversation()
    expect((await run.usage()).modelCalls.held).toBe(0)
    expect(await agent.callModel({ ...CALL, toolCalls: 1 }, async () => USED)).toMatchObject({ kind: 'refused' })
    expect(await agent.callWrapUp(CALL, async () => USED)).toMatchObject({ kind: 'done' })
    expect(await agent.callWrapUp(CALL, async () => USED)).toMatchObject({ kind: 'refused' })
  })

  it('if not admitted alongside others, may come again when there is room', async () => {
    const team = await createGovernor().budget('team:core', { limits: { tokens: 4_000 } })
    const [first, second] = await Promise.all(['first', 'second'].map((name) => team.open({ name })))
    for (const agent of [first!, second!]) edgeOf(agent).expectWrapUp({ runsElsewhere: true })
    const call = { ...CALL, inputTokens: 700, maxOutputTokens: 100 }
    expect(await first!.callModel(call, async () => USED)).toMatchObject({ kind: 'done' })
    expect(await second!.callModel({ ...call, inputTokens: 1_200 }, async () => USED)).toMatchObject({
      kind: 'refused',
    })
    await edgeOf(first!).lapseConversation()
    expect(await second!.callModel({ ...call, inputTokens: 1_200 }, async () => USED)).toMatchObject({ kind: 'done' })
  })

  it('made at the limit of a budget: the conversation restarts when the window resets or it has lapsed', async () => {
    const clock = createManualClock()
    const team = await createGovernor({ clock }).budget('team:core', { limits: { modelCalls: { max: 4, per: 'day' } } })
    const agent = await team.open({ name: 'agent' })
    edgeOf(agent).expectWrapUp({ runsElsewhere: true })
    const work = () => agent.callModel(CALL, async () => USED)
    const untilClosed = async () => {
      for (let call = 0; call < 3; call++) expect(await work()).toMatchObject({ kind: 'done' })
      expect(await work()).toMatchObject({ kind: 'refused' })
      expect(await agent.callWrapUp(CALL, async () => USED)).toMatchObject({ kind: 'done' })
    }
    await untilClosed()
    expect(await work()).toMatchObject({ kind: 'refused' })
    await clock.advance(86_400_000)
    await untilClosed()
    expect(await work()).toMatchObject({ kind: 'refused' })
    await edgeOf(agent).lapseConversation()
    expect(edgeOf(agent).end().breaches).toBeNull()
  })

  it('may still be made in the closing span of the run, and what was sent runs on to the limit', async () => {
    const clock = createManualClock()
    const run = await createGovernor({ clock }).open({ name: 'run', limits: { time: 100_000 }, wrapUp: true })
    const agent = await run.open({ name: 'agent' })
    edgeOf(agent).expectWrapUp({ runsElsewhere: true })
    let end: (value: typeof USED) => void = () => {}
    const sent = agent.callModel({ ...CALL, runsOn: true }, () => new Promise<typeof USED>((done) => (end = done)))
    await clock.advance(91_000)
    expect(await agent.callModel(CALL, async () => USED)).toMatchObject({ kind: 'refused', breach: { meter: 'time' } })
    expect(await agent.callWrapUp(CALL, async () => USED)).toMatchObject({ kind: 'done' })
    end(USED)
    expect(await sent).toMatchObject({ kind: 'done', value: USED.value })
    const late = run.callWrapUp({ ...CALL, runsOn: true }, ({ signal }) => {
      return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
    await clock.advance(9_000)
    expect(await late).toMatchObject({ kind: 'stopped' })
  })
})

describe('a shared budget', () => {
  it.each(['terminate', 'pause'] as const)(
    'is not ended by its own limit (%s): the caller is refused',
    async (onLimit) => {
      const governor = createGovernor()
      const team = await governor.budget('team:core', { limits: { toolCalls: { max: 1, action: onLimit } } })
      expect(edgeOf(team).runsAgent).toBe(false)
      await team.callModel({ ...CALL, toolCalls: 1 }, async () => USED)
      expect(await team.callModel({ ...CALL, toolCalls: 1 }, async () => USED)).toMatchObject({ kind: 'refused' })
      expect(edgeOf(team).pauseOnPath()).toBeNull()
      expect(await team.callModel(CALL, async () => USED)).toMatchObject({ kind: 'done' })
      await team.setLimits({ toolCalls: { max: 2, action: onLimit } })
      expect(await team.callModel({ ...CALL, toolCalls: 1 }, async () => USED)).toMatchObject({ kind: 'done' })
    },
  )

  it('asks if its limit asks, and is not paused by it', async () => {
    const governor = createGovernor()
    const team = await governor.budget('team:core', { limits: { toolCalls: { max: 1, action: 'ask' } } })
    await team.callModel({ ...CALL, toolCalls: 1 }, async () => USED)
    const asked = new Promise<void>((resolve) => governor.on('increase_requested', () => resolve()))
    const waiting = team.callModel({ ...CALL, toolCalls: 1 }, async () => USED)
    await asked
    expect(edgeOf(team).pauseOnPath()).toBeNull()
    expect(await team.callModel(CALL, async () => USED)).toMatchObject({ kind: 'done' })
    const [request] = await governor.requests()
    await governor.approve(request!.id)
    expect(await waiting).toMatchObject({ kind: 'done' })
  })
})

describe('waiting for a paused scope', () => {
  it('ends when it continues or ends, or nothing waits any more', async () => {
    const governor = createGovernor()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 5 } })
    const child = await run.open({ name: 'child' })
    const never = new AbortController()
    expect(await edgeOf(child).untilResumed(never.signal)).toBe(true)
    await run.pause()
    expect(edgeOf(child).pauseOnPath()).toMatchObject({ breaches: null })
    const waiting = edgeOf(child).untilResumed(never.signal)
    await run.resume()
    expect(await waiting).toBe(true)
    await run.pause()
    const givenUp = edgeOf(child).untilResumed(never.signal)
    never.abort()
    expect(await givenUp).toBe(false)
    const ended = edgeOf(child).untilResumed(new AbortController().signal)
    await run.stop()
    expect(await ended).toBe(false)
  })
})

describe('what an edge can query', () => {
  it('B16: finds only open reservations of the scope or below it', async () => {
    const governor = createGovernor()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 5 } })
    const child = await run.open({ name: 'child' })
    const other = await governor.open({ name: 'other' })
    const room = await child.reserve({ toolCalls: 1 })
    if (room.kind === 'refused') throw new Error('no room')
    expect(await edgeOf(run).findReservation(room.id)).toEqual({
      id: room.id,
      scopeId: child.id,
      amounts: { toolCalls: 1 },
    })
    expect(await edgeOf(other).findReservation(room.id)).toBeNull()
    expect(await edgeOf(run).findReservation('made-up')).toBeNull()
    await room.settle()
    expect(await edgeOf(run).findReservation(room.id)).toBeNull()
  })

  it('what remains is that of the tightest limit on the path, ignoring limits that only warn', async () => {
    const governor = createGovernor()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 5, modelCalls: { max: 2, action: 'warn' } } })
    const child = await run.open({ name: 'child', limits: { toolCalls: 3 } })
    expect([...(await edgeOf(child).remainingOnPath())]).toEqual([['toolCalls', 3]])
    const notSent = child.callModel({ ...CALL, toolCalls: 1 }, async () => {
      throw new CallNotSentError()
    })
    await expect(notSent).rejects.toThrow()
    expect((await edgeOf(child).remainingOnPath()).get('toolCalls')).toBe(3)
  })
})
