import { describe, expect, it } from 'vitest'
import { breachIn, createGovernorFixture } from '../../fixtures/governor.fixture.ts'
import { answer, answerFrom, modelCall, TEST_PRICES, writesAll } from '../../fixtures/model.fixture.ts'
import type { OpenSpec, Scope } from '../../governor.ts'

const create = () => createGovernorFixture({ prices: TEST_PRICES })

/**
 * An agent that never stops by itself: it works until it is refused, then makes its closing call. Returns what it sent,
 * in order.
 */
async function loop(scope: Scope, inputTokens: number, { maxOutputTokens = 500, turns = 100 } = {}) {
  const sent: ('work' | 'closing')[] = []
  let text: string | null = null
  for (let turn = 0; turn < turns; turn++) {
    const outcome = await scope.callModel(modelCall(inputTokens, maxOutputTokens), async (grant) => {
      sent.push('work')
      return answer(inputTokens, grant.maxOutputTokens, `turn ${turn}`)
    })
    const value = answerFrom(outcome)
    if (value === null) break
    text = value.text
  }
  const closing = await scope.callWrapUp(modelCall(inputTokens, 1_000), async (grant) => {
    sent.push('closing')
    return answer(inputTokens, Math.min(200, grant.maxOutputTokens), 'summary')
  })
  text = answerFrom(closing)?.text ?? text
  await scope.close()
  return { sent, text, status: scope.status() }
}

async function looped(spec: Partial<OpenSpec>, inputTokens: number, options = {}) {
  const fixture = create()
  const scope = await fixture.governor.open({ name: 'run', wrapUp: true, ...spec })
  const result = await loop(scope, inputTokens, options)
  return { ...fixture, ...result, usage: await scope.usage() }
}

describe('the closing call', () => {
  it('A11: is the tenth of ten model calls', async () => {
    const { sent, text, status } = await looped({ limits: { modelCalls: 10 } }, 100)
    expect(sent).toEqual([...Array(9).fill('work'), 'closing'])
    expect([text, status]).toEqual(['summary', 'limit-reached'])
  })

  it('E5, A6: is made once, and nothing else is admitted', async () => {
    const { governor, emitted } = create()
    const run = await governor.open({ name: 'run', limits: { tokens: 10_000 }, wrapUp: true })
    const work = await run.callModel(modelCall(2_000, 4_000), writesAll(2_000))
    expect(work).toMatchObject({ kind: 'done' })
    expect(await run.callModel(modelCall(6_000, 4_000), writesAll(6_000))).toMatchObject({ kind: 'refused' })
    let tools = 0
    expect(await run.callTool({ name: 'read' }, () => ++tools)).toMatchObject({ kind: 'refused' })
    const closing = await run.callWrapUp(modelCall(2_500, 1_000), writesAll(2_500))
    expect(answerFrom(closing)).toMatchObject({ text: 'done' })
    expect(await run.callWrapUp(modelCall(10, 10), writesAll(10))).toMatchObject({ kind: 'refused' })
    expect(await run.callModel(modelCall(10, 10), writesAll(10))).toMatchObject({ kind: 'refused' })
    expect(tools).toBe(0)
    expect(await emitted('wrap_up_started')).toMatchObject([{ limit_kind: 'tokens' }])
    expect((await run.usage()).tokens).toMatchObject({ overrun: 0, held: 0, reserved: 0 })
  })

  it('E5: keeps its hold when descendants spend everything', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { tokens: 20_000 }, wrapUp: true })
    await run.callModel(modelCall(2_000, 500), writesAll(2_000))
    const child = await run.open({ name: 'child' })
    for (let turn = 0; turn < 50; turn++) await child.callModel(modelCall(500, 2_000), writesAll(500))
    expect((await run.usage()).tokens).toMatchObject({ held: 3_600, reserved: 0 })
    expect((await run.usage()).tokens.remaining).toBeLessThan(756)
    expect(answerFrom(await run.callWrapUp(modelCall(2_500, 1_000), writesAll(2_500)))).not.toBe(null)
    expect((await run.usage()).tokens.overrun).toBe(0)
  })

  it('may be retried with less if it did not fit or the provider refused it', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { tokens: 10_000 }, wrapUp: true })
    await run.callModel(modelCall(2_000, 4_000), writesAll(2_000))
    await run.callModel(modelCall(6_000, 4_000), writesAll(6_000))
    expect(await run.callWrapUp(modelCall(9_000, 1_000), writesAll(9_000))).toMatchObject({ kind: 'refused' })
    const held = (await run.usage()).tokens.held
    const bad = run.callWrapUp(modelCall(2_000, 1_000), () =>
      Promise.reject(Object.assign(new Error(), { status: 400, headers: {} })),
    )
    await expect(bad).rejects.toMatchObject({ status: 400, headers: {} })
    expect((await run.usage()).tokens).toMatchObject({ held, reserved: 0 })
    expect(answerFrom(await run.callWrapUp(modelCall(2_000, 1_000), writesAll(2_000)))).not.toBe(null)
  })

  it('A11: is not a model call if the provider refused it, and may be made again', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { modelCalls: 2 }, wrapUp: true })
    await run.callModel(modelCall(100, 50), writesAll(100))
    const bad = run.callWrapUp(modelCall(100, 50), () =>
      Promise.reject(Object.assign(new Error(), { status: 400, headers: {} })),
    )
    await expect(bad).rejects.toMatchObject({ status: 400, headers: {} })
    expect((await run.usage()).modelCalls).toMatchObject({ settled: 1, reserved: 0, held: 1, refused: 1 })
    expect(answerFrom(await run.callWrapUp(modelCall(100, 50), writesAll(100)))).not.toBe(null)
    expect(await run.callWrapUp(modelCall(100, 50), writesAll(100))).toMatchObject({ kind: 'refused' })
  })

  it('does not exist for a scope that did not ask for it', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { modelCalls: 4, toolCalls: 0 } })
    await run.callTool({ name: 'read' }, () => 1)
    expect(await run.callWrapUp(modelCall(10, 10), writesAll(10))).toMatchObject({ kind: 'refused' })
    expect((await run.usage()).modelCalls).toMatchObject({ held: 0, settled: 0 })
  })

  it('is not compared with messages', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { messages: 10 }, wrapUp: true })
    const long = modelCall(100, 100, { messages: 10 })
    expect(await run.callModel(long, writesAll(100))).toMatchObject({ breach: { meter: 'messages' } })
    expect(answerFrom(await run.callWrapUp(long, writesAll(100)))).not.toBe(null)
  })

  it('has the last part of a time limit to itself', async () => {
    const { governor, clock } = create()
    const run = await governor.open({ name: 'run', limits: { time: '60s' }, wrapUp: true })
    const work = run.callModel(modelCall(100, 100), ({ signal }) => {
      return new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    })
    await clock.advance(54_000)
    expect(await work).toMatchObject({ kind: 'stopped', by: { meter: 'time' } })
    const closing = run.callWrapUp(modelCall(100, 100), ({ signal }) => {
      return new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    })
    await clock.advance(5_999)
    expect((await run.usage()).time.settled).toBe(59_999)
    await clock.advance(1)
    expect(await closing).toMatchObject({ kind: 'stopped', abandoned: false })
    expect(await run.callWrapUp(modelCall(100, 100), writesAll(100))).toMatchObject({ kind: 'refused' })
  })

  it('keeps the last part of a time limit while work finishes after a counter’s limit', async () => {
    const { governor, clock, emitted } = create()
    const run = await governor.open({ name: 'run', limits: { time: '60s', toolCalls: 1 }, wrapUp: true })
    const work = run.callTool({ name: 'slow' }, ({ signal }) => {
      return new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    })
    expect(await run.callTool({ name: 'read' }, () => 1)).toMatchObject({ kind: 'refused' })
    await clock.advance(54_000)
    expect(await work).toMatchObject({ kind: 'stopped' })
    expect(answerFrom(await run.callWrapUp(modelCall(10, 10), writesAll(10)))).not.toBe(null)
    expect(await emitted('limit_exceeded')).toMatchObject([{ limit_kind: 'toolCalls' }])
  })

  it('after a clock: the limit is reported once, when it acts', async () => {
    const { governor, clock, emitted } = create()
    const run = await governor.open({ name: 'run', limits: { time: '60s' }, wrapUp: true })
    await clock.advance(54_000)
    expect(await emitted('limit_exceeded')).toMatchObject([{ limit_kind: 'time', used: 54_000 }])
    await clock.advance(10_000)
    expect(await emitted('limit_exceeded')).toHaveLength(1)
    await run.close()
    expect(run.status()).toBe('limit-reached')
  })

  it('of a child that an ancestor’s clock stopped is refused: the child returns its last text', async () => {
    const { governor, clock } = create()
    const run = await governor.open({ name: 'run', limits: { time: '10s' } })
    const child = await run.open({ name: 'child', wrapUp: true })
    await clock.advance(10_000)
    expect(await child.callWrapUp(modelCall(10, 10), writesAll(10))).toMatchObject({
      kind: 'refused',
      breach: { scope: run.id, meter: 'time' },
    })
  })

  it('follows after idle time', async () => {
    const { governor, clock } = create()
    const run = await governor.open({ name: 'run', limits: { idleTime: '10s' }, wrapUp: true })
    await clock.advance(10_000)
    expect(await run.callModel(modelCall(10, 10), writesAll(10))).toMatchObject({ breach: { meter: 'idleTime' } })
    expect(answerFrom(await run.callWrapUp(modelCall(10, 10), writesAll(10)))).not.toBe(null)
  })
})

describe('E13: leaves small limits as much work as they can pay for, and a clear end', () => {
  it.each([
    ['toolCalls 1', { toolCalls: 1 }, ['work', 'work', 'closing']],
    ['modelCalls 1', { modelCalls: 1 }, ['work']],
    ['modelCalls 2', { modelCalls: 2 }, ['work', 'closing']],
    ['tokens 2,000', { tokens: 2_000 }, ['work', 'closing']],
    ['cost $0.01', { cost: 0.01 }, ['work', 'closing']],
  ] as const)('%s', async (_, limits, expected) => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', wrapUp: true, limits })
    if ('toolCalls' in limits) {
      const sent: string[] = []
      const work = () => run.callModel(modelCall(500, 500), async () => answer(500, sent.push('work')))
      await work()
      expect(await run.callTool({ name: 'read' }, () => 1)).toMatchObject({ value: 1 })
      await work()
      expect(await run.callTool({ name: 'read' }, () => 2)).toMatchObject({ kind: 'refused' })
      expect(await work()).toMatchObject({ kind: 'refused' })
      await run.callWrapUp(modelCall(500, 500), async () => answer(500, sent.push('closing')))
      expect(sent).toEqual(expected)
      return
    }
    const { sent, text, status } = await loop(run, 500, { maxOutputTokens: 1_500, turns: 5 })
    expect(sent).toEqual(expected)
    expect(text).not.toBe(null)
    expect(status).toBe('limit-reached')
    const usage = await run.usage()
    expect([usage.tokens.overrun, usage.cost.overrun, usage.modelCalls.overrun]).toEqual([0, 0, 0])
  })

  it('time 1500ms: nothing is held back, and the last text is returned', async () => {
    const { governor, clock } = create()
    const run = await governor.open({ name: 'run', limits: { time: '1500ms' }, wrapUp: true })
    await clock.advance(1_499)
    expect(answerFrom(await run.callModel(modelCall(10, 10), writesAll(10)))).not.toBe(null)
    await clock.advance(1)
    expect(await run.callWrapUp(modelCall(10, 10), writesAll(10))).toMatchObject({ kind: 'refused' })
    await run.close()
    expect(run.status()).toBe('limit-reached')
  })
})

describe('a window that opens soon', () => {
  it.each([
    [30_000, true],
    [90_000, false],
  ])('%i ms before, a call waits for it instead of closing: %s', async (beforeMs, waits) => {
    const { governor, clock } = create()
    const run = await governor.open({ name: 'run', wrapUp: true, limits: { tokens: { max: 6_000, per: 'hour' } } })
    await clock.advance(3_600_000 - beforeMs)
    await run.callModel(modelCall(1_500, 500), async () => answer(1_500, 500))
    const second = run.callModel(modelCall(2_000, 500), async () => answer(2_000, 10))
    await clock.advance(beforeMs + 1)
    expect((await second).kind).toBe(waits ? 'done' : 'refused')
  })
})

describe('E12: many holds on one pool', () => {
  it('at admission take at most half of it, and every admitted child ends with an answer', async () => {
    const { governor } = create()
    const pool = await governor.open({ name: 'pool', limits: { tokens: '100k' } })
    const needs = { tokens: 3_256 + 4_000 }
    const results = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const child = await pool.open({ name: `child-${index}`, wrapUp: true, needs }).catch(() => null)
        if (child === null) return null
        const end = await loop(child, 3_000, { turns: 2 })
        return end.sent.length === 0 ? null : end
      }),
    )
    const admitted = results.filter((result) => result !== null)
    expect(admitted.length).toBeGreaterThan(8)
    expect(admitted.filter(({ text }) => text === null)).toEqual([])
    expect((await pool.usage()).tokens).toMatchObject({ overrun: 0, held: 0, reserved: 0 })
  })

  it('the first conversation is admitted if it fits, further ones only within half', async () => {
    const { governor } = create()
    const pool = await governor.open({ name: 'pool', limits: { tokens: 20_000 } })
    const first = await pool.open({ name: 'first', wrapUp: true })
    const second = await pool.open({ name: 'second', wrapUp: true })
    await first.callModel(modelCall(8_000, 500), async () => answer(8_000, 10))
    expect((await pool.usage()).tokens.held).toBe(8_000 + 10 + 100 + 1_000)
    const refused = await second.callModel(modelCall(500, 500), async () => answer(500, 10))
    expect(refused).toMatchObject({ kind: 'refused', breach: { meter: 'tokens', scope: pool.id } })
    expect(breachIn(refused)?.message).toContain('The first call of "pool/second" and its closing answer need up to')
    // Only the refused one has ended; the others continue.
    expect(await first.callTool({ name: 'read' }, () => 1)).toMatchObject({ value: 1 })
    expect(await second.callTool({ name: 'read' }, () => 1)).toMatchObject({ kind: 'refused' })
    const more = breachIn(refused)?.leastLimit ?? 0
    await pool.setLimits({ tokens: more })
    const third = await pool.open({ name: 'third', wrapUp: true })
    expect(await third.callModel(modelCall(500, 500), async () => answer(500, 10))).toMatchObject({ kind: 'done' })
  })
})
