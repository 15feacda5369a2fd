import { describe, expect, it } from 'vitest'
import { isLimitExceeded } from '../../core/index.ts'
import { parseLimits } from '../../policy/index.ts'
import { createGovernorFixture, isPending, settleDown } from '../fixtures/governor.fixture.ts'
import { modelCall, writesAll } from '../fixtures/model.fixture.ts'

describe('children', () => {
  it('B7: opens a group as a whole or not at all', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { spawns: 2 } })
    const batch = (names: readonly string[]) => run.openAll(names.map((name) => ({ name })))
    const outcomes = await Promise.allSettled([batch(['a', 'b']), batch(['c', 'd'])])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect((await run.usage()).spawns.settled).toBe(2)
    expect((await emitted('agent_started')).map(({ scope_path }) => scope_path)).toEqual(['run', 'run/a', 'run/b'])
    expect(await emitted('spawn_refused')).toMatchObject([{ child_name: 'c', children: 2, limit_kind: 'spawns' }])
    await expect(run.openAll([])).rejects.toMatchObject({ code: 'invalid_option' })
  })

  it('B7: refuses the whole group for one invalid child', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run' })
    await expect(run.openAll([{ name: 'good' }, { name: 'a/b' }])).rejects.toMatchObject({ code: 'invalid_name' })
    expect((await run.usage()).spawns.settled).toBe(0)
  })

  it('a refused spawn ends nothing else', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { spawns: 0 } })
    await expect(run.open({ name: 'child' })).rejects.toSatisfy((error) => isLimitExceeded(error, run.id))
    expect(await run.callTool({ name: 'read' }, () => 1)).toMatchObject({ value: 1 })
  })

  it.each([
    ['depth=0', 'The depth limit of "run" is used up: 0 of 0 used, 1 more requested. Set by the flag --limit depth=0.'],
    [
      'spawns=0',
      'The spawns limit of "run" is used up: 0 of 0 used, 1 more requested. Set by the flag --limit spawns=0.',
    ],
  ])(
    'promise 7: a spawn that %s refuses names the scope, the limit, its place, and whose flag it is',
    async (...given) => {
      const [written, sentence] = given
      const { governor } = createGovernorFixture()
      const run = await governor.open({
        name: 'run',
        limits: parseLimits([written], { layer: 'call', flag: '--limit' }),
      })
      const knob = `--limit ${written.replace('0', '…')}`
      await expect(run.open({ name: 'child' })).rejects.toThrow(
        `"child" was not opened below "run". ${sentence} To allow more, pass a larger value to "run": ${knob}`,
      )
    },
  )

  it('B8: a retry or a resume of a child is not a second spawn', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { spawns: 1 } })
    const child = await run.open({ name: 'child', id: 'child-1' })
    const [again, andAgain] = await Promise.all([1, 2].map(() => run.open({ name: 'child', id: 'child-1' })))
    expect([again, andAgain]).toEqual([child, child])
    await child.pause()
    await child.resume()
    expect((await run.usage()).spawns).toMatchObject({ settled: 1, remaining: 0 })
  })

  it('with one id, requested twice at once, are one child', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run' })
    const [first, second] = await Promise.all([1, 2].map(() => run.open({ name: 'child', id: 'child-1' })))
    expect(first).toBe(second)
    expect(await emitted('agent_started')).toHaveLength(2)
  })

  it('B13: a fan-out of 20 never spends more than a small pool', async () => {
    const { governor } = createGovernorFixture()
    const pool = await governor.open({ name: 'pool', limits: { tokens: 5_000 } })
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const child = await pool.open({ name: `child-${index}` }).catch(() => null)
        return child?.callModel(modelCall(400, 300, { price: null }), writesAll(400))
      }),
    )
    expect((await pool.usage()).tokens).toMatchObject({ overrun: 0, reserved: 0 })
    // Seven full ones; the rest of the pool is less than the smallest call.
    expect(answers.filter((answered) => answered?.kind === 'done')).toHaveLength(7)
  })

  it('B15: 20 that run at once for a minute take a minute of time each, and one of the parent’s', async () => {
    const { governor, clock } = createGovernorFixture()
    const parent = await governor.open({ name: 'parent', limits: { time: '10m' } })
    let children: Awaited<ReturnType<typeof parent.openAll>> = []
    void parent.callTool({ name: 'fan out' }, async () => {
      children = await parent.openAll(Array.from({ length: 20 }, (_, index) => ({ name: `child-${index}` })))
      return new Promise(() => {})
    })
    await settleDown()
    for (const child of children) void child.callTool({ name: 'work' }, () => new Promise(() => {}))
    await clock.advance(60_000)
    const times = await Promise.all(children.map(async (child) => (await child.usage()).time.settled))
    expect(new Set(times)).toEqual(new Set([60_000]))
    expect((await parent.usage()).time.settled).toBe(60_000)
  })

  it('that wait for a place do not delay their siblings’ calls', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 10_000 } })
    const sibling = await run.open({ name: 'sibling', wrapUp: true })
    await sibling.callModel(modelCall(2_000, 500, { price: null }), writesAll(2_000))
    const queued = run.open({ name: 'queued', needs: { tokens: 6_000 } })
    expect(await isPending(queued)).toBe(true)
    expect(await sibling.reserve({ tokens: 100 })).toMatchObject({ kind: 'granted' })
    await sibling.close()
    expect((await queued).name).toBe('queued')
  })

  it('stop queueing when their signal is aborted, and those behind them move up', async () => {
    const { governor, clock } = createGovernorFixture()
    const parent = await governor.open({ name: 'parent', limits: { concurrency: 1 } })
    const first = await parent.open({ name: 'first' })
    const goneAway = new AbortController()
    const second = parent.open({ name: 'second', signal: goneAway.signal })
    const third = parent.open({ name: 'third' })
    expect(await isPending(second)).toBe(true)
    goneAway.abort()
    await expect(second).rejects.toMatchObject({ code: 'limit_exceeded', breach: { meter: 'concurrency' } })
    await first.close()
    expect((await third).name).toBe('third')
    expect(clock.pendingTimers).toBe(0)
  })

  it('cannot be opened while their parent is ending', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run' })
    await run.openAll([{ name: 'a' }, { name: 'b' }])
    const late = expect(run.open({ name: 'late' })).rejects.toMatchObject({ code: 'scope_closed' })
    await run.close()
    await late
    expect((await governor.find(run.id))?.status()).toBe('completed')
  })

  it('that are still ending admit nothing more, and neither does their parent', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run' })
    await run.openAll([{ name: 'a' }, { name: 'b' }])
    const closing = run.close()
    await expect(run.reserve({ toolCalls: 1 })).rejects.toMatchObject({ code: 'scope_closed' })
    await closing
    expect((await run.usage()).toolCalls).toMatchObject({ settled: 0, reserved: 0 })
  })
})
