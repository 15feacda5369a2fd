import type { Contract } from './contract.ts'
import { limitOn } from './limit-on.ts'

/** What is held back for a closing call. */
export function describeHolds({ describe, test, expect }: Contract): void {
  describe('the hold of a closing call', () => {
    test('is nobody else’s, and is there for its own scope’s closing call', async (ledger) => {
      await ledger.open('run', [limitOn('modelCalls', 3), limitOn('tokens', 1_000)])
      const hold = { wanted: { modelCalls: 1, tokens: 400 }, smallest: { modelCalls: 1, tokens: 300 } }
      expect(await ledger.store.hold({ scopeId: 'run', ask: hold, atMs: ledger.atMs })).toEqual({
        held: { modelCalls: 1, tokens: 400 },
      })
      await ledger.spend('run', { modelCalls: 2, tokens: 600 })
      expect(await ledger.reserve('run', { modelCalls: 1 })).toMatchObject({
        kind: 'breached',
        breaches: [{ meter: 'modelCalls' }],
      })
      expect(await ledger.reserve('run', { tokens: 1 })).toMatchObject({ kind: 'breached', mayFitLater: false })
      expect((await ledger.reserve('run', { modelCalls: 1, tokens: 401 }, { closing: true })).kind).toBe('breached')
      expect((await ledger.limit('run', 'tokens')).held).toBe(400)
      expect((await ledger.reserve('run', { modelCalls: 1, tokens: 400 }, { closing: true })).kind).toBe('granted')
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 600, reserved: 400, held: 0, remaining: 0 })
    })

    test('is not sized anew by a settlement that is sent twice', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000)])
      await ledger.reserve('run', { tokens: 10 }, { reservationId: 'one' })
      const settle = (tokens: number) => {
        const hold = { wanted: { tokens }, smallest: {} }
        return ledger.store.settle({ reservationId: 'one', actual: null, hold, atMs: ledger.atMs })
      }
      await settle(50)
      await ledger.store.hold({ scopeId: 'run', ask: { wanted: { tokens: 400 }, smallest: {} }, atMs: ledger.atMs })
      await settle(50)
      expect((await ledger.limit('run', 'tokens')).held).toBe(400)
    })

    test('is taken anew when the closing call was released, so that it can be tried again', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000)])
      const hold = { wanted: { tokens: 400 }, smallest: {} }
      await ledger.store.hold({ scopeId: 'run', ask: hold, atMs: ledger.atMs })
      await ledger.reserve('run', { tokens: 400 }, { closing: true, reservationId: 'first try' })
      await ledger.store.release({ reservationId: 'first try', hold, atMs: ledger.atMs })
      expect((await ledger.limit('run', 'tokens')).held).toBe(400)
    })

    test('is not compared with messages: a full conversation may be closed', async (ledger) => {
      await ledger.open('run', [limitOn('messages', 10)])
      const reserve = (closing: boolean) => ledger.reserve('run', { modelCalls: 1 }, { messages: 10, closing })
      expect([(await reserve(false)).kind, (await reserve(true)).kind]).toEqual(['breached', 'granted'])
    })

    test('is re-sized with a settlement, and stands in a new window', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000, { per: 'day' })])
      await ledger.reserve('run', { tokens: 100 }, { reservationId: 'one' })
      const hold = { wanted: { tokens: 250 }, smallest: {} }
      await ledger.store.settle({ reservationId: 'one', actual: null, hold, atMs: ledger.atMs })
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 100, held: 250, remaining: 650 })
      ledger.atMs += 86_400_000
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 0, held: 250, remaining: 750 })
    })
  })
}
