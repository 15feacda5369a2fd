import { describe, expect, it } from 'vitest'
import { mustReserve, settleDown } from './fixtures/governor.fixture.ts'
import { createPair } from './fixtures/governor-pair.fixture.ts'
import { createLateStore, createWired } from './fixtures/store-wire.fixture.ts'

const SECOND_MS = 1_000

describe('a governor that is closed', () => {
  it('leaves no timer, whatever the store does, and writes the rest when it is closed again', async () => {
    for (const when of ['before', 'after'] as const) {
      const { clock, cut, store, wired, ours, theirs } = createWired()
      const run = await wired.open({ name: 'run', limits: { tokens: 100, time: '1h' } })
      const room = await mustReserve(run, { tokens: 10 })
      for (const name of ['settle', 'close', 'poll', 'holders'] as const) cut.set(name, when)
      await room.settle({ tokens: 5 })
      await clock.advance(SECOND_MS)
      await expect(wired.close()).rejects.toMatchObject({ code: 'store_unavailable', retryable: true })
      await ours.close()
      await theirs.close()
      expect(clock.pendingTimers).toBe(0)
      cut.clear()
      await wired.close()
      const [reading] = (await store.read({ scopeId: run.id, atMs: clock.wallMs() }))!
      expect([reading!.status, reading!.totals.tokens]).toEqual(['stopped', { settled: 5, reserved: 0 }])
      expect(clock.pendingTimers).toBe(0)
    }
  })

  it('waits for the poll in progress', async () => {
    const { clock, store, dead, start, events, ours, theirs } = createPair()
    await Promise.all([ours.close(), theirs.close()])
    const gone = start('gone')
    await mustReserve(await gone.open({ name: 'run' }), { tokens: 1 })
    const late = createLateStore(store)
    const watching = start('watching', late.store)
    dead.add('gone')
    const assuming = late.holdNext('assume')
    const step = clock.advance(0)
    await settleDown()
    const closing = watching.close()
    await settleDown()
    assuming.let()
    await Promise.all([step, closing])
    expect(events.filter(({ event }) => event === 'reservation_assumed')).toHaveLength(1)
  })

  it('leaves paused scopes to be resumed, and ends working ones', async () => {
    const { clock, start, ours } = createPair()
    const leaving = start('leaving')
    const paused = await leaving.open({ name: 'paused' })
    const child = await paused.open({ name: 'child' })
    const works = await leaving.open({ name: 'works' })
    await paused.pause({ conversation: ['so far'] })
    await leaving.close()
    await clock.advance(SECOND_MS)
    expect((await ours.find(works.id))!.status()).toBe('stopped')
    expect((await ours.find(child.id))!.status()).toBe('stopped')
    expect(await (await ours.find(paused.id))!.resume()).toEqual(['so far'])
  })

  it('opens nothing more, and leaves nothing open that was being opened', async () => {
    const { clock, store, start } = createPair()
    const late = createLateStore(store)
    const closing = start('closing', late.store)
    const opened = late.holdNext('open')
    const opening = closing.open({ name: 'run', id: 'run', limits: { time: '1h' } })
    await settleDown()
    const closed = closing.close()
    await settleDown()
    opened.let()
    await expect(opening).rejects.toMatchObject({ code: 'governor_closed' })
    await closed
    await settleDown()
    const [reading] = (await store.read({ scopeId: 'run', atMs: clock.wallMs() }))!
    expect(reading!.status).toBe('stopped')
    await expect(closing.open({ name: 'late' })).rejects.toMatchObject({ code: 'governor_closed' })
  })
})
