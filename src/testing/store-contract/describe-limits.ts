import type { Contract } from './contract.ts'
import { limitOn } from './limit-on.ts'

/** Limits that change while they are spent. */
export function describeLimits({ describe, test, expect }: Contract): void {
  describe('limits that are changed', () => {
    test('D3: a raised limit continues from what was counted, even if it is a ceiling now', async (ledger) => {
      await ledger.open('run', [limitOn('cost', 10, { per: 'day' })])
      await ledger.spend('run', { cost: 10 })
      const ceiling = { layer: 'ceiling', written: 'cost' } as const
      const limits = [limitOn('cost', 20, { per: 'day', source: ceiling })]
      await ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
      expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 10, remaining: 10 })
    })

    test('a changed time zone forgets nothing in the current window, settled or in flight', async (ledger) => {
      await ledger.open('run', [limitOn('cost', 10, { per: 'day' })])
      await ledger.spend('run', { cost: 4 })
      await ledger.reserve('run', { cost: 5 }, { reservationId: 'in flight' })
      const limits = [limitOn('cost', 10, { per: 'day', timeZone: 'Asia/Tokyo' })]
      await ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
      expect((await ledger.reserve('run', { cost: 2 })).kind).toBe('breached')
      await ledger.store.settle({ reservationId: 'in flight', actual: { cost: 1 }, atMs: ledger.atMs })
      expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 5, reserved: 0 })
      expect(await ledger.settled('run', 'cost')).toBe(5)
    })

    test('an hour is the same in every zone', async (ledger) => {
      await ledger.open('run', [limitOn('cost', 10, { per: 'hour' })])
      await ledger.reserve('run', { cost: 9 }, { reservationId: 'in flight' })
      const limits = [limitOn('cost', 10, { per: 'hour', timeZone: 'Asia/Tokyo' })]
      await ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
      await ledger.store.release({ reservationId: 'in flight', atMs: ledger.atMs })
      expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 0, reserved: 0, remaining: 10 })
    })

    test('a lower limit reduces the holds to what fits, the latest first, and a limit that pauses has none', async (ledger) => {
      const hold = (tokens: number) => ({ hold: { wanted: { tokens }, smallest: {} } })
      await ledger.open('run', [limitOn('tokens', 1_000)])
      await ledger.open('run/first', [], hold(150))
      await ledger.open('run/second', [], hold(300))
      await ledger.spend('run', { tokens: 200 })
      const write = (max: number, action: 'terminate' | 'pause') => {
        const limits = [limitOn('tokens', max, { action })]
        return ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
      }
      await write(400, 'terminate')
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ held: 200, remaining: 0 })
      await ledger.store.close({ scopeId: 'run/first', status: 'completed', atMs: ledger.atMs })
      expect((await ledger.limit('run', 'tokens')).held).toBe(50)
      await write(400, 'pause')
      expect((await ledger.limit('run', 'tokens')).held).toBe(0)
    })

    test('a lower limit on a count cuts the holds to half of it', async (ledger) => {
      const hold = { hold: { wanted: { modelCalls: 1 }, smallest: { modelCalls: 1 } } }
      await ledger.open('run', [limitOn('modelCalls', 8)])
      for (const name of ['first', 'second', 'third']) await ledger.open(`run/${name}`, [], hold)
      const limits = [limitOn('modelCalls', 4)]
      await ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
      expect(await ledger.limit('run', 'modelCalls')).toMatchObject({ held: 2, remaining: 2 })
    })

    test('a ceiling next to a limit is not announced again when the limit is', async (ledger) => {
      const ceiling = limitOn('tokens', 50, { action: 'warn', source: { layer: 'ceiling', written: 'tokens' } })
      await ledger.open('run', [limitOn('tokens', 100), ceiling])
      await ledger.spend('run', { tokens: 70 })
      const limits = [limitOn('tokens', 200), ceiling]
      await ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
      await ledger.reserve('run', { tokens: 1 }, { reservationId: 'next' })
      const next = await ledger.store.settle({ reservationId: 'next', actual: null, atMs: ledger.atMs })
      expect(next.kind === 'settled' && next.crossings).toEqual([])
    })

    test('D3: a limit that was removed and set again, higher, is announced again', async (ledger) => {
      await ledger.open('run', [limitOn('toolCalls', 10)])
      await ledger.spend('run', { toolCalls: 10 })
      await ledger.reserve('run', { toolCalls: 1 })
      const write = (limits: ReturnType<typeof limitOn>[]) =>
        ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
      await write([])
      await write([limitOn('toolCalls', 100)])
      await ledger.reserve('run', { toolCalls: 75 }, { reservationId: 'more' })
      const more = await ledger.store.settle({ reservationId: 'more', actual: null, atMs: ledger.atMs })
      expect(more.kind === 'settled' && more.crossings).toMatchObject([{ crossing: { kind: 'nearing' }, settled: 85 }])
    })

    test('A1: changing another limit does not announce this one again', async (ledger) => {
      await ledger.open('run', [limitOn('toolCalls', 10), limitOn('cost', 10)])
      for (let call = 0; call < 8; call++) await ledger.spend('run', { toolCalls: 1 })
      const limits = [limitOn('toolCalls', 10), limitOn('cost', 20)]
      await ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
      await ledger.reserve('run', { toolCalls: 1 }, { reservationId: 'ninth' })
      const ninth = await ledger.store.settle({ reservationId: 'ninth', actual: null, atMs: ledger.atMs })
      expect(ninth.kind === 'settled' && ninth.crossings).toEqual([])
    })

    test('are kept as they were written, whatever the caller does with its objects', async (ledger) => {
      const limit = { ...limitOn('tokens', 10) }
      await ledger.open('run', [limit])
      Object.assign(limit, { max: 1_000_000 })
      expect((await ledger.reserve('run', { tokens: 11 })).kind).toBe('breached')
    })

    test('law 6: adding, removing and adding a limit again never changes what was counted', async (ledger) => {
      await ledger.open('run')
      await ledger.spend('run', { tokens: 40 })
      const write = (...limits: Parameters<typeof limitOn>[]) =>
        ledger.store.setLimits({ scopeId: 'run', limits: limits.map((each) => limitOn(...each)), atMs: ledger.atMs })
      await write(['tokens', 100])
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 40, remaining: 60 })
      await ledger.reserve('run', { tokens: 20 }, { reservationId: 'over the change' })
      await write()
      await ledger.store.settle({ reservationId: 'over the change', actual: { tokens: 15 }, atMs: ledger.atMs })
      await write(['tokens', 50])
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 55, reserved: 0, remaining: 0, overrun: 5 })
    })

    test('a limit with a period that is removed and added again includes what was spent in between', async (ledger) => {
      const limits = [limitOn('cost', 10, { per: 'day' })]
      await ledger.open('run', limits)
      await ledger.spend('run', { cost: 4 })
      const write = (written: typeof limits) =>
        ledger.store.setLimits({ scopeId: 'run', limits: written, atMs: ledger.atMs })
      await write([])
      await ledger.spend('run', { cost: 3 })
      await write(limits)
      expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 7, remaining: 3 })
    })

    test('a hold survives the removal of its limit, and ends with its scope', async (ledger) => {
      const limits = [limitOn('tokens', 100)]
      await ledger.open('run', limits)
      await ledger.open('run/a', [], { hold: { wanted: { tokens: 30 }, smallest: {} } })
      await ledger.store.setLimits({ scopeId: 'run', limits: [], atMs: ledger.atMs })
      await ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
      expect((await ledger.limit('run', 'tokens')).held).toBe(30)
      await ledger.store.close({ scopeId: 'run/a', status: 'completed', atMs: ledger.atMs })
      expect((await ledger.limit('run', 'tokens')).held).toBe(0)
    })

    test('do not overwrite a concurrent change', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      const { revision } = await ledger.read('run')
      const write = (max: number) => {
        const limits = [limitOn('tokens', max)]
        return ledger.store.setLimits({ scopeId: 'run', limits, expectedRevision: revision, atMs: ledger.atMs })
      }
      expect([(await write(200)).kind, (await write(200)).kind, (await write(300)).kind]).toEqual([
        'written',
        'written',
        'stale',
      ])
      expect((await ledger.limit('run', 'tokens')).limit.max).toBe(200)
    })
  })
}
