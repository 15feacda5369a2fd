import { describe, expect, it } from 'vitest'
import { createPair } from '../fixtures/governor-pair.fixture.ts'
import { modelCall, writesAll } from '../fixtures/model.fixture.ts'

const SECOND_MS = 1_000

describe('a scope that is found', () => {
  it('refuses everything once it has ended', async () => {
    const { ours, theirs } = createPair()
    const run = await ours.open({ name: 'run', limits: { toolCalls: 5 } })
    await run.callTool({ name: 'read' }, () => 1)
    await run.close()
    const found = (await theirs.find(run.id))!
    expect([found.status(), found.signal.aborted]).toEqual(['completed', true])
    expect((await found.usage()).toolCalls).toMatchObject({ settled: 1, limit: 5 })
    expect(found.explain()).toHaveLength(1)
    const closed = { code: 'scope_closed' }
    await expect(found.reserve({ toolCalls: 1 })).rejects.toMatchObject(closed)
    await expect(found.callTool({ name: 'read' }, () => 1)).rejects.toMatchObject(closed)
    await expect(found.callModel(modelCall(1, 1), writesAll(1))).rejects.toMatchObject(closed)
    await expect(found.open({ name: 'child' })).rejects.toMatchObject(closed)
    await expect(theirs.open({ name: 'child', within: found })).rejects.toMatchObject({ code: 'invalid_option' })
    await expect(found.setLimits({ toolCalls: 9 })).rejects.toMatchObject(closed)
    await expect(found.pause()).rejects.toMatchObject(closed)
    await expect(found.resume()).rejects.toMatchObject(closed)
    await expect(found.requestIncrease({ meter: 'toolCalls', amount: 1, reason: 'x' })).rejects.toMatchObject(closed)
    await found.stop()
    await found.close()
    expect(found.status()).toBe('completed')
  })

  it('shows its working time as far as it is known, and never more', async () => {
    const { clock, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run', limits: { time: '1h' } })
    const found = (await theirs.find(run.id))!
    await clock.advance(60 * SECOND_MS)
    const { settled, remaining } = (await found.usage()).time
    expect(settled).toBeGreaterThan(50 * SECOND_MS)
    expect(settled).toBeLessThanOrEqual(60 * SECOND_MS)
    expect(settled + remaining!).toBe(3_600 * SECOND_MS)
    await run.close()
    await clock.advance(60 * SECOND_MS)
    expect((await run.usage()).time.settled).toBe(60 * SECOND_MS)
  })

  it('pays for children opened below it here, and its pause and end reach them', async () => {
    const { clock, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run', limits: { toolCalls: 2, time: '1h' } })
    const found = (await theirs.find(run.id))!
    const child = await theirs.open({ name: 'child', within: found })
    await child.callTool({ name: 'read' }, () => 1)
    expect((await run.usage()).toolCalls.settled).toBe(1)
    await run.pause()
    await expect(child.callTool({ name: 'read' }, () => 1)).rejects.toMatchObject({ code: 'scope_paused' })
    await run.resume()
    await clock.advance(SECOND_MS)
    await child.callTool({ name: 'read' }, () => 1)
    expect(await child.callTool({ name: 'read' }, () => 1)).toMatchObject({
      kind: 'refused',
      breach: { scope: run.id },
    })
    expect([run.status(), child.status()]).toEqual(['running', 'running'])
    await run.stop()
    await clock.advance(SECOND_MS)
    expect([child.status(), child.signal.aborted]).toEqual(['limit-reached', true])
  })

  it('takes its hold again after it was resumed from elsewhere', async () => {
    const { clock, store, ours, theirs } = createPair()
    const run = await ours.open({ name: 'run', limits: { modelCalls: 4 }, wrapUp: true })
    await run.callModel(modelCall(10, 10), writesAll(10))
    expect((await run.usage()).modelCalls.held).toBe(1)
    await (await theirs.find(run.id))!.pause()
    await clock.advance(SECOND_MS)
    expect((await run.usage()).modelCalls.held).toBe(0)
    await store.resume({ scopeId: run.id, atMs: clock.wallMs() })
    await clock.advance(SECOND_MS)
    expect([run.status(), (await run.usage()).modelCalls.held]).toEqual(['running', 1])
  })
})
