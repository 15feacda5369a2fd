import { describe, expect, it } from 'vitest'
import { limitFixture } from '../../../src/core/limits/limit.fixture.ts'
import { createGovernor } from '../../../src/governor/index.ts'
import { createManualClock } from '../../../src/testing/manual-clock.ts'
import { openScope, openStoreAt, useDatabase } from './database.fixture.ts'

const database = useDatabase()

describe('a reader that follows all trees', () => {
  it('misses nothing from a transaction that was open while later ones were committed', async () => {
    const { url, schema } = await database.newSchema()
    const [store, follower] = [openStoreAt(url), openStoreAt(url)]
    for (const id of ['slow', 'quick', 'late']) await openScope(store, id)
    const { cursor: start } = await follower.changed({ since: null })
    const open = await database.lock(schema, 'slow')
    await openScope(store, 'below', 'quick')
    const first = await follower.changed({ since: start })
    expect(first.roots).toEqual(['quick'])
    await openScope(store, 'another', 'late')
    const second = await follower.changed({ since: first.cursor })
    expect(second.roots).toContain('late')
    await open.release()
    const third = await follower.changed({ since: second.cursor })
    expect(third.roots).toContain('slow')
    expect((await follower.changed({ since: third.cursor })).roots).toEqual([])
  })

  it('sees what two processes write at the same time, each at least once', async () => {
    const { url } = await database.newSchema()
    const writers = [openStoreAt(url), openStoreAt(url)]
    const follower = openStoreAt(url)
    let { cursor } = await follower.changed({ since: null })
    const seen = new Set<string>()
    const ids = writers.map((_, writer) => Array.from({ length: 40 }, (_, place) => `tree-${writer}-${place}`))
    let isOver = false
    const writing = Promise.all(
      writers.map(async (store, writer) => {
        for (const id of ids[writer]!) await openScope(store, id)
      }),
    ).then(() => {
      isOver = true
    })
    for (let isLast = false; !isLast; ) {
      isLast = isOver
      const changed = await follower.changed({ since: cursor })
      cursor = changed.cursor
      for (const root of changed.roots ?? []) seen.add(root)
    }
    await writing
    expect([...seen].toSorted()).toEqual(ids.flat().toSorted())
  })
})

describe('a process that follows its scopes', () => {
  it('is notified of a pause, without polling', async () => {
    const { url } = await database.newSchema()
    // Its clock stands still, so that it does not ask by itself.
    const clock = createManualClock()
    const governor = createGovernor({ store: openStoreAt(url), clock })
    const run = await governor.open({ name: 'run', limits: { toolCalls: 5 } })
    await clock.advance(1)
    const operator = openStoreAt(url)
    await expect.poll(() => database.run(`SELECT 1 FROM pg_stat_activity WHERE query ILIKE 'listen %'`)).toHaveLength(1)
    await operator.pause({ scopeId: run.id, reason: 'lunch', atMs: Date.now() })
    await expect.poll(() => run.status()).toBe('paused')
    await governor.close()
  })

  it('still finds it by polling if notifications do not arrive', async () => {
    const { url } = await database.newSchema()
    const store = openStoreAt(url)
    const clock = createManualClock()
    const governor = createGovernor({ store: { ...store, listen: () => () => {} }, clock })
    const run = await governor.open({ name: 'run', limits: { toolCalls: 5 } })
    await clock.advance(1)
    const limits = [limitFixture('toolCalls', 9)]
    await openStoreAt(url).setLimits({ scopeId: run.id, limits, atMs: Date.now() })
    await expect
      .poll(async () => {
        await clock.advance(500)
        return run.limits().find(({ meter }) => meter === 'toolCalls')?.max
      })
      .toBe(9)
    await governor.close()
  })
})
