import type { ReserveHold } from '../../core/index.ts'
import type { Contract } from './contract.ts'
import { limitOn } from './limit-on.ts'

/** What is held back for a closing call. */
export function describeHolds({ describe, test, expect }: Contract): void {
  describe('the hold of a closing call', () => {
    test('is closed to others, and open to its own scope’s closing call', async (ledger) => {
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

    test('is not resized by a settlement that is sent twice', async (ledger) => {
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

    test('is taken again when the closing call was released, so that it can be retried', async (ledger) => {
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

    test('is resized with a settlement, and counts in a new window', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000, { per: 'day' })])
      await ledger.reserve('run', { tokens: 100 }, { reservationId: 'one' })
      const hold = { wanted: { tokens: 250 }, smallest: {} }
      await ledger.store.settle({ reservationId: 'one', actual: null, hold, atMs: ledger.atMs })
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 100, held: 250, remaining: 650 })
      ledger.atMs += 86_400_000
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 0, held: 250, remaining: 750 })
    })

    test('is taken by a reservation of its conversation, in the same operation', async (ledger) => {
      await ledger.open('team', [limitOn('tokens', 1_000), limitOn('modelCalls', 10)], { kind: 'lasting', owner: null })
      await ledger.open('team/run', [limitOn('tokens', 800)])
      const hold = talk({ wanted: { tokens: 150, modelCalls: 1 }, smallest: { tokens: 100, modelCalls: 1 } })
      expect(await ledger.reserve('team/run', { tokens: 200, modelCalls: 1 }, { hold })).toMatchObject({
        kind: 'granted',
      })
      for (const path of ['team', 'team/run']) {
        expect(await ledger.limit(path, 'tokens')).toMatchObject({ reserved: 200, held: 150 })
      }
      expect(await ledger.limit('team', 'modelCalls')).toMatchObject({ reserved: 1, held: 1 })
    })

    test('is not taken if the reservation is refused', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000)])
      const hold = talk({ wanted: { tokens: 150 }, smallest: { tokens: 100 } })
      const outcome = await ledger.reserve('run', { tokens: 901 }, { hold })
      expect(outcome).toMatchObject({ kind: 'breached', breaches: [{ meter: 'tokens', asked: 1_001 }] })
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ reserved: 0, held: 0 })
      expect((await ledger.reserve('run', { tokens: 900 }, { hold })).kind).toBe('granted')
    })

    test('may be reserved from by its own conversation, down to the smallest closing call', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000)])
      const hold = talk({ wanted: { tokens: 400 }, smallest: { tokens: 100 }, isFirst: false })
      await ledger.store.hold({ scopeId: 'run', ask: hold, atMs: ledger.atMs })
      expect((await ledger.reserve('run', { tokens: 901 }, { hold })).kind).toBe('breached')
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ reserved: 0, held: 400 })
      expect((await ledger.reserve('run', { tokens: 900 }, { hold })).kind).toBe('granted')
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ reserved: 900, held: 100, remaining: 0 })
    })

    test('is never reserved from by another conversation', async (ledger) => {
      await ledger.open('team', [limitOn('tokens', 1_000)], { kind: 'lasting', owner: null })
      await ledger.open('team/one')
      await ledger.open('team/other')
      const ask = { wanted: { tokens: 400 }, smallest: {} }
      await ledger.store.hold({ scopeId: 'team/other', ask, atMs: ledger.atMs })
      const hold = talk({ wanted: { tokens: 100 }, smallest: { tokens: 100 } })
      expect((await ledger.reserve('team/one', { tokens: 501 }, { hold })).kind).toBe('breached')
      expect((await ledger.reserve('team/one', { tokens: 500 }, { hold })).kind).toBe('granted')
      expect(await ledger.limit('team', 'tokens')).toMatchObject({ reserved: 500, held: 500, remaining: 0 })
    })

    test('gets back what a call left unused when it settles, before other callers that wait', async (ledger) => {
      await ledger.open('team', [limitOn('tokens', 1_000)], { kind: 'lasting', owner: null })
      await ledger.open('team/one')
      await ledger.open('team/other')
      const ask = { wanted: { tokens: 400 }, smallest: { tokens: 100 } }
      await ledger.store.hold({ scopeId: 'team/one', ask, atMs: ledger.atMs })
      const hold = talk({ ...ask, isFirst: false })
      await ledger.reserve('team/one', { tokens: 900 }, { reservationId: 'call', hold })
      const wait = () => ledger.reserve('team/other', { tokens: 500 }, { patient: true })
      expect(await wait()).toMatchObject({ kind: 'breached', mayFitLater: true })
      await ledger.settle('call', { actual: { tokens: 300 }, hold: ask })
      expect(await ledger.limit('team', 'tokens')).toMatchObject({ settled: 300, held: 400, remaining: 300 })
      expect((await wait()).kind).toBe('breached')
    })

    for (const meter of ['tokens', 'cost'] as const) {
      test(`admits a further conversation while all holds take at most half of a limit on ${meter}`, async (ledger) => {
        await ledger.open('team', [limitOn(meter, 1_000)], { kind: 'lasting', owner: null })
        for (const name of ['first', 'second', 'third']) await ledger.open(`team/${name}`)
        const first = (name: string, held: number) => {
          const hold = talk({ wanted: { [meter]: held }, smallest: { [meter]: held } })
          return ledger.reserve(`team/${name}`, { [meter]: 10 }, { hold, reservationId: `${name} ${held}` })
        }
        // The first one is admitted wherever it fits.
        expect((await first('first', 991)).kind).toBe('breached')
        expect((await first('first', 300)).kind).toBe('granted')
        expect(await first('second', 201)).toMatchObject({ kind: 'breached', mayFitLater: true })
        expect((await first('second', 200)).kind).toBe('granted')
        for (const call of ['first 300', 'second 200']) await ledger.settle(call)
        expect(await first('third', 1)).toMatchObject({ kind: 'breached', mayFitLater: false })
        expect(await ledger.limit('team', meter)).toMatchObject({ held: 500 })
      })
    }

    test('admits the first conversation with more than half of a limit, and may grow past the half', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000)])
      const first = talk({ wanted: { tokens: 600 }, smallest: { tokens: 600 } })
      expect((await ledger.reserve('run', { tokens: 100 }, { reservationId: 'call', hold: first })).kind).toBe(
        'granted',
      )
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ reserved: 100, held: 600 })
      await ledger.settle('call')
      const later = talk({ wanted: { tokens: 800 }, smallest: { tokens: 800 }, isFirst: false })
      expect((await ledger.reserve('run', { tokens: 100 }, { hold: later })).kind).toBe('granted')
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 100, reserved: 100, held: 800 })
    })

    test('takes at most half of a count together with all others', async (ledger) => {
      await ledger.open('run', [limitOn('modelCalls', 5)])
      const hold = talk({ wanted: { modelCalls: 4 }, smallest: { modelCalls: 1 } })
      expect((await ledger.reserve('run', { modelCalls: 1 }, { hold })).kind).toBe('granted')
      expect((await ledger.limit('run', 'modelCalls')).held).toBe(2)
    })

    test('is larger by its growth for each token of output that is granted above the least', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000)])
      const rates = [{ meter: 'tokens', numerator: 1, denominator: 1 }] as const
      const growth = [{ meter: 'tokens', numerator: 2, denominator: 1 }] as const
      const hold = talk({ wanted: { tokens: 200 }, smallest: { tokens: 100 }, growth })
      const reserve = (reservationId: string, most: number) => {
        const elastic = { least: 10, enough: 10, most, rates }
        return ledger.reserve('run', { tokens: 90 }, { reservationId, elastic, hold })
      }
      expect(await reserve('short', 60)).toMatchObject({ kind: 'granted', units: 60 })
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ reserved: 150, held: 300 })
      await ledger.store.release({ reservationId: 'short', hold: { wanted: {}, smallest: {} }, atMs: ledger.atMs })
      expect((await ledger.limit('run', 'tokens')).held).toBe(0)
      // 100 for the smallest call, 100 for the smallest closing call and a fiftieth of the limit for a longer one leave
      // 780, at 3 per token. The remainder makes the closing call even longer.
      const long = await reserve('long', 900)
      expect(long).toMatchObject({ kind: 'granted', units: 269 })
      const { reserved, held } = await ledger.limit('run', 'tokens')
      expect([reserved, held]).toEqual([90 + 269, 1_000 - 90 - 269])
    })
  })

  describe('a tentative reservation', () => {
    test('whose breach the caller may answer by asking for less is not announced', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      const ask = (more: { readonly tentative?: boolean }) => ledger.reserve('run', { tokens: 101 }, more)
      expect(await ask({ tentative: true })).toMatchObject({ kind: 'breached', newlyExceeded: [] })
      expect(await ask({})).toMatchObject({ kind: 'breached', newlyExceeded: [{ meter: 'tokens' }] })
      expect(await ask({})).toMatchObject({ kind: 'breached', newlyExceeded: [] })
    })
  })
}

/** The closing call that a call of its conversation keeps payable. */
function talk(hold: Pick<ReserveHold, 'wanted' | 'smallest'> & Partial<ReserveHold>): ReserveHold {
  return { likely: {}, growth: [], isFirst: true, ...hold }
}
