import type { LedgerStore } from '../../core/index.ts'
import type { Contract } from './contract.ts'
import { limitOn } from './limit-on.ts'

/** Two handles on one ledger, as in two processes. For a store with one handle, both are the same. */
export function describeTwoHandles({ describe, test, expect }: Contract): void {
  describe('two handles on one ledger', () => {
    test('see immediately what the other wrote', async (ledger) => {
      const { store, second, atMs } = ledger
      const reserve = (handle: LedgerStore, reservationId: string) =>
        handle.reserve({ reservationId, scopeId: 'run', amounts: { tokens: 60 }, holder: 'process', atMs })
      await ledger.open('run', [limitOn('tokens', 100)])
      expect((await reserve(second, 'one')).kind).toBe('granted')
      expect(await reserve(store, 'two')).toMatchObject({ kind: 'breached', breaches: [{ reserved: 60 }] })
      expect(await reserve(store, 'one')).toMatchObject({ kind: 'granted', duplicate: true })
      await store.settle({ reservationId: 'one', actual: { tokens: 10 }, atMs })
      expect((await reserve(second, 'two')).kind).toBe('granted')
      await second.setLimits({ scopeId: 'run', limits: [limitOn('tokens', 200)], atMs })
      expect((await reserve(store, 'three')).kind).toBe('granted')
      await store.pause({ scopeId: 'run', reason: 'lunch', atMs })
      expect((await reserve(second, 'four')).kind).toBe('paused')
      await second.close({ scopeId: 'run', status: 'stopped', atMs })
      expect((await reserve(store, 'four')).kind).toBe('closed')
    })

    test('B5: of 1,000 reserves at once with room for 10, exactly 10 are granted', async (ledger) => {
      await ledger.open('run', [limitOn('toolCalls', 10)])
      const outcomes = await Promise.all(
        Array.from({ length: 1_000 }, (_, place) => {
          const request = { scopeId: 'run', amounts: { toolCalls: 1 }, holder: 'process', atMs: ledger.atMs }
          return [ledger.store, ledger.second][place % 2]!.reserve({ ...request, reservationId: `parallel ${place}` })
        }),
      )
      expect(outcomes.filter(({ kind }) => kind === 'granted')).toHaveLength(10)
      expect(outcomes.filter((each) => each.kind === 'breached' && !each.mayFitLater)).toHaveLength(990)
      expect(await ledger.limit('run', 'toolCalls')).toMatchObject({ reserved: 10, remaining: 0 })
    })

    test('B7: spawns 2, and two batches of 2 at once: one is opened completely, the other not at all', async (ledger) => {
      await ledger.open('run', [limitOn('spawns', 2)])
      const spawn = (handle: LedgerStore, names: readonly string[]) => {
        const scopes = names.map((name) => ({ id: name, name, kind: 'agent', owner: 'process', limits: [] }) as const)
        return handle.open({ parentId: 'run', scopes, atMs: ledger.atMs })
      }
      const outcomes = await Promise.all([spawn(ledger.store, ['a', 'b']), spawn(ledger.second, ['c', 'd'])])
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['opened', 'refused'])
      const children = await ledger.store.list({ standing: 'all', parentId: 'run', atMs: ledger.atMs })
      const opened = outcomes.flatMap((outcome) => (outcome.kind === 'opened' ? outcome.created : []))
      expect(children.map(({ id }) => id)).toEqual(opened)
      expect(opened).toHaveLength(2)
      expect(await ledger.settled('run', 'spawns')).toBe(2)
    })

    test('settle once, resume once, answer once: the first one counts', async (ledger) => {
      const { store, second, atMs } = ledger
      await ledger.open('run', [limitOn('tokens', 100)])
      const kindsOf = async (step: (handle: LedgerStore) => Promise<{ readonly kind: string }>) =>
        (await Promise.all([step(store), step(second)])).map(({ kind }) => kind).toSorted()
      await ledger.reserve('run', { tokens: 30 }, { reservationId: 'one' })
      const settled = await kindsOf((handle) => handle.settle({ reservationId: 'one', actual: null, atMs }))
      expect(settled).toEqual(['duplicate', 'settled'])
      await ledger.pause('run')
      const resumed = await kindsOf((handle) => handle.resume({ scopeId: 'run', atMs }))
      expect(resumed).toEqual(['not-paused', 'resumed'])
      await ledger.ask('run', 'tokens', 5, { requestId: 'more' })
      const answered = await kindsOf((handle) => handle.answer({ requestId: 'more', verdict: 'approved', atMs }))
      expect(answered).toEqual(['answered', 'duplicate'])
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 30, limit: { max: 105 } })
    })

    test('learn what the other steers', async (ledger) => {
      await ledger.open('run')
      const { cursor } = await ledger.store.poll({ since: null })
      await ledger.second.pause({ scopeId: 'run', reason: 'lunch', atMs: ledger.atMs })
      expect((await ledger.store.poll({ since: cursor })).steered).toEqual(['run'])
    })

    test('say that the ledger is shared, so that their owners look at what others did', async ({ store, second }) => {
      if (second !== store) expect([store.isShared, second.isShared]).toEqual([true, true])
    })

    test('continue when the other is disposed of', async (ledger) => {
      await ledger.open('run')
      await ledger.second.dispose()
      await ledger.second.dispose()
      if (ledger.second === ledger.store) return
      await ledger.spend('run', { tokens: 5 })
      expect(await ledger.settled('run', 'tokens')).toBe(5)
    })
  })
}
