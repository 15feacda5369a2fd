import type { Contract } from './contract.ts'
import { limitOn } from './limit-on.ts'

/** How scopes end. */
export function describeEnding({ describe, test, expect }: Contract): void {
  describe('the end of a scope', () => {
    test('admits nothing more there or below, but what was in flight is still charged', async (ledger) => {
      for (const path of ['run', 'run/agent']) await ledger.open(path)
      await ledger.reserve('run/agent', { tokens: 5 }, { reservationId: 'late' })
      const close = () => ledger.store.close({ scopeId: 'run', status: 'stopped', atMs: ledger.atMs })
      expect([await close(), await close()]).toEqual([{ kind: 'closed' }, { kind: 'duplicate', status: 'stopped' }])
      expect(await ledger.reserve('run/agent', { tokens: 5 })).toEqual({ kind: 'closed', scopeId: 'run' })
      expect(await ledger.open('run/agent/child')).toEqual({ kind: 'closed', scopeId: 'run' })
      await ledger.store.settle({ reservationId: 'late', actual: { tokens: 4 }, atMs: ledger.atMs })
      expect(await ledger.settled('run', 'tokens')).toBe(4)
    })

    test('gives back the holds of everything below it', async (ledger) => {
      await ledger.open('team', [limitOn('tokens', 1_000)])
      await ledger.open('team/run')
      await ledger.open('team/run/child', [], { hold: { wanted: { tokens: 300 }, smallest: {} } })
      await ledger.store.close({ scopeId: 'team/run', status: 'stopped', atMs: ledger.atMs })
      expect((await ledger.limit('team', 'tokens')).held).toBe(0)
    })

    test('frees its place and its hold', async (ledger) => {
      await ledger.open('run', [limitOn('concurrency', 1), limitOn('tokens', 1_000)])
      await ledger.open('run/a', [], { hold: { wanted: { tokens: 300 }, smallest: { tokens: 1 } } })
      expect((await ledger.limit('run', 'tokens')).held).toBe(300)
      expect(await ledger.open('run/b')).toMatchObject({ kind: 'refused', mayFitLater: true })
      await ledger.store.close({ scopeId: 'run/a', status: 'completed', atMs: ledger.atMs })
      expect((await ledger.limit('run', 'tokens')).held).toBe(0)
      expect((await ledger.open('run/b')).kind).toBe('opened')
    })

    test('holds nothing any more, whatever is settled or requested later', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000)])
      await ledger.open('run/a')
      await ledger.reserve('run/a', { tokens: 100 }, { reservationId: 'late' })
      await ledger.store.close({ scopeId: 'run/a', status: 'completed', atMs: ledger.atMs })
      const hold = { wanted: { tokens: 400 }, smallest: {} }
      await ledger.store.settle({ reservationId: 'late', actual: null, hold, atMs: ledger.atMs })
      expect(await ledger.store.hold({ scopeId: 'run/a', ask: hold, atMs: ledger.atMs })).toEqual({ held: {} })
      expect((await ledger.limit('run', 'tokens')).held).toBe(0)
    })

    test('is final: the same id is closed, not opened again', async (ledger) => {
      for (const path of ['run', 'run/a']) await ledger.open(path)
      await ledger.store.close({ scopeId: 'run/a', status: 'completed', atMs: ledger.atMs })
      expect(await ledger.open('run/a')).toEqual({ kind: 'closed', scopeId: 'run/a' })
      expect((await ledger.read('run')).openChildren).toBe(0)
    })
  })
}
