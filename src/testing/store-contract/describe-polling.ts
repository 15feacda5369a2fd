import type { LedgerStore } from '../../core/index.ts'
import type { Contract } from './contract.ts'
import { limitOn } from './limit-on.ts'

/** How the process that runs a scope learns that another process has steered it. */
export function describePolling({ describe, test, expect }: Contract): void {
  describe('a poll', () => {
    test('lists nothing if nothing was steered: calls, notes and new scopes do not count', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      await ledger.pause('run')
      await ledger.resume('run')
      expect((await ledger.store.poll({ since: null })).steered).toEqual([])
      const poll = await follow(ledger.store)
      expect(await poll()).toEqual([])
      await ledger.reserve('run', { tokens: 5 }, { reservationId: 'one' })
      await ledger.settle('one')
      await ledger.reserve('run', { tokens: 5 }, { reservationId: 'two' })
      await ledger.store.release({ reservationId: 'two', atMs: ledger.atMs })
      await ledger.reserve('run', { tokens: 500 })
      await ledger.store.hold({ scopeId: 'run', ask: { wanted: { tokens: 5 }, smallest: {} }, atMs: ledger.atMs })
      await ledger.store.note({ scopeId: 'run', activeMs: 5, document: 'x', atMs: ledger.atMs })
      await ledger.open('run/child')
      await ledger.resume('run')
      await ledger.read('run')
      expect(await poll()).toEqual([])
    })

    test('names what was paused, resumed, ended, orphaned, adopted, or has other limits', async (ledger) => {
      for (const path of ['a', 'b']) await ledger.open(path, [limitOn('tokens', 100)], { owner: `owner of ${path}` })
      await ledger.ask('b', 'tokens', 5, { requestId: 'more' })
      const poll = await follow(ledger.store)
      const named = async (step: Promise<unknown>) => {
        await step
        return poll()
      }
      const { store, atMs } = ledger
      expect(await named(ledger.pause('a'))).toEqual(['a'])
      expect(await named(ledger.resume('a'))).toEqual(['a'])
      expect(await named(store.setLimits({ scopeId: 'a', limits: [], atMs }))).toEqual(['a'])
      expect(await named(ledger.answer('more', 'approved'))).toEqual(['b'])
      expect(await named(store.assume({ holder: 'owner of b', atMs }))).toEqual(['b'])
      expect(await named(ledger.open('b', [], { owner: 'another' }))).toEqual(['b'])
      expect(await named(store.assume({ holder: 'another', atMs }))).toEqual(['b'])
      expect(await named(ledger.resume('b', { owner: 'third' }))).toEqual(['b'])
      expect(await named(ledger.close('a'))).toEqual(['a'])
      expect(await poll()).toEqual([])
    })

    test('lists each scope once per reader, however often it was steered', async (ledger) => {
      for (const path of ['a', 'b']) await ledger.open(path)
      const [early, late] = [await follow(ledger.store), await follow(ledger.second)]
      for (let round = 0; round < 3; round++) {
        await ledger.pause('a')
        await ledger.resume('a')
      }
      expect(await early()).toEqual(['a'])
      await ledger.pause('b')
      expect([await early(), await late()]).toEqual([['b'], ['a', 'b']])
    })
  })
}

/** Polls from now on, each time for what is new. */
async function follow(store: LedgerStore): Promise<() => Promise<readonly string[] | null>> {
  const first = await store.poll({ since: null })
  let since = first.cursor
  return async () => {
    const { cursor, steered } = await store.poll({ since })
    since = cursor
    return steered?.toSorted() ?? null
  }
}
