import { balanceKey } from '../../core/index.ts'
import type { Contract } from './contract.ts'
import { limitOn } from './limit-on.ts'

/** Requests for more of a limit, and their answers. */
export function describeRequests({ describe, test, expect }: Contract): void {
  describe('a request for more', () => {
    test('E9: is open once per limit, and later requests join it', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100), limitOn('cost', 5)])
      await ledger.spend('run', { tokens: 100 })
      const first = await ledger.ask('run', 'tokens', 50, { requestId: 'first', reason: 'nearly done' })
      const record = {
        id: 'first',
        scopeId: 'run',
        scopePath: 'run',
        meter: 'tokens',
        per: null,
        key: balanceKey('run', limitOn('tokens', 100)),
        settled: 100,
        limit: 100,
        asked: 50,
        reason: 'nearly done',
        status: 'open',
        granted: null,
        by: null,
        openedAtMs: ledger.atMs,
        expiresAtMs: ledger.atMs + 60_000,
        answeredAtMs: null,
      }
      expect(first).toEqual({ kind: 'asked', request: record })
      expect(await ledger.ask('run', 'tokens', 80)).toEqual({ kind: 'joined', request: record })
      expect(await ledger.ask('run', 'tokens', 50, { requestId: 'first' })).toEqual({ kind: 'asked', request: record })
      expect((await ledger.ask('run', 'cost', 1)).kind).toBe('asked')
      expect(await ledger.store.requests({ status: 'open' })).toHaveLength(2)
    })

    test('E3: shows what an approval would grant if no amount was named', async (ledger) => {
      await ledger.open('team', [limitOn('tokens', 100)])
      const ceilings = [limitOn('tokens', 50, { source: { layer: 'ceiling', written: 'tokens' } })]
      await ledger.open('team/run', [limitOn('tokens', 40)], { ceilings })
      await ledger.open('team/other', [limitOn('tokens', 40)])
      await ledger.spend('team/run', { tokens: 40 })
      const asked = (path: string, more = {}) => ledger.ask(path, 'tokens', 500, { mayBeCut: true, ...more })
      expect(await asked('team/run', { requestId: 'ceiling' })).toMatchObject({ request: { asked: 10 } })
      expect(await ledger.answer('ceiling', 'approved')).toMatchObject({ request: { granted: 10 } })
      await ledger.spend('team/other', { tokens: 40 })
      expect(await asked('team/other', { requestId: 'above' })).toMatchObject({ request: { asked: 20 } })
      expect(await ledger.answer('above', 'approved')).toMatchObject({ request: { granted: 20 } })
      // Nothing can be granted: only a raise above helps, and then all of it may be needed.
      expect(await asked('team/run', { requestId: 'none' })).toMatchObject({ request: { asked: 500 } })
    })

    test('by a day and by a month are two', async (ledger) => {
      const [day, month] = [limitOn('cost', 5, { per: 'day' }), limitOn('cost', 9, { per: 'month' })]
      await ledger.open('run', [day, month])
      const outcomes = [
        await ledger.ask('run', 'cost', 1, { key: balanceKey('run', day) }),
        await ledger.ask('run', 'cost', 2, { key: balanceKey('run', month) }),
      ]
      expect(outcomes).toMatchObject([
        { kind: 'asked', request: { per: 'day', limit: 5 } },
        { kind: 'asked', request: { per: 'month', limit: 9 } },
      ])
      await ledger.answer('question 2', 'approved')
      expect((await ledger.read('run')).limits.map(({ limit }) => limit.max)).toEqual([5, 11])
    })

    test('is not kept if the limit is gone or the scope has ended', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      expect(await ledger.ask('run', 'tokens', 5, { key: 'run cost' })).toEqual({ kind: 'unknown' })
      const key = balanceKey('run', limitOn('tokens', 100))
      await ledger.close('run')
      expect(await ledger.ask('run', 'tokens', 5, { key })).toEqual({ kind: 'unknown' })
      expect(await ledger.store.requests({})).toEqual([])
    })

    test('is found by its id and by its status', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100), limitOn('cost', 5), limitOn('toolCalls', 3)])
      for (const meter of ['tokens', 'cost', 'toolCalls'] as const) {
        await ledger.ask('run', meter, 1, { requestId: meter })
        ledger.atMs++
      }
      await ledger.answer('cost', 'denied')
      const ids = async (filter: Parameters<typeof ledger.store.requests>[0]) =>
        (await ledger.store.requests(filter)).map(({ id }) => id).toSorted()
      expect(await ids({})).toEqual(['cost', 'tokens', 'toolCalls'])
      expect(await ids({ status: 'open' })).toEqual(['tokens', 'toolCalls'])
      expect(await ids({ status: 'denied' })).toEqual(['cost'])
      expect(await ids({ status: 'approved' })).toEqual([])
      expect(await ids({ requestId: 'cost' })).toEqual(['cost'])
      expect(await ids({ requestId: 'cost', status: 'open' })).toEqual([])
      expect(await ids({ most: 2 })).toHaveLength(2)
    })

    test('has a whole number of at least 1, and an id', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      for (const asked of [0, -1, 1.5, Number.NaN]) {
        await expect(ledger.ask('run', 'tokens', asked)).rejects.toThrow(/asked/)
      }
      await expect(ledger.ask('run', 'tokens', 1, { requestId: '' })).rejects.toThrow(/requestId/)
      expect(await ledger.store.requests({})).toEqual([])
    })
  })

  describe('an answer', () => {
    test('E3: that approves raises the limit in the same step, and says who and when', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100, { action: 'ask' })])
      await ledger.spend('run', { tokens: 100 })
      await ledger.ask('run', 'tokens', 50, { requestId: 'more' })
      const { revision } = await ledger.read('run')
      ledger.atMs += 1_000
      const answered = await ledger.answer('more', 'approved', { by: 'ann' })
      const request = { id: 'more', status: 'approved', granted: 50, by: 'ann', answeredAtMs: ledger.atMs }
      expect(answered).toMatchObject({ kind: 'answered', request })
      expect(await ledger.store.requests({ requestId: 'more' })).toMatchObject([request])
      const raised = await ledger.limit('run', 'tokens')
      expect(raised).toMatchObject({ limit: { max: 150, action: 'ask', source: { layer: 'grant' } }, remaining: 50 })
      expect((await ledger.read('run')).revision > revision).toBe(true)
      expect((await ledger.reserve('run', { tokens: 50 })).kind).toBe('granted')
    })

    test('E3: in part gives exactly that much', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100), limitOn('cost', 7)])
      await ledger.ask('run', 'tokens', 50, { requestId: 'more' })
      expect(await ledger.answer('more', 'approved', { amount: 20 })).toMatchObject({
        request: { status: 'approved', asked: 50, granted: 20 },
      })
      expect((await ledger.limit('run', 'tokens')).limit.max).toBe(120)
      expect((await ledger.limit('run', 'cost')).limit.max).toBe(7)
      for (const amount of [0, -1, 0.5, Number.NaN]) {
        await expect(ledger.answer('more', 'approved', { amount })).rejects.toThrow(/amount/)
      }
    })

    test('B4: gives no more than the scopes above have left', async (ledger) => {
      await ledger.open('team', [limitOn('tokens', 100)])
      await ledger.open('team/run', [limitOn('tokens', 40)])
      await ledger.spend('team', { tokens: 30 })
      await ledger.spend('team/run', { tokens: 40 })
      await ledger.ask('team/run', 'tokens', 500, { requestId: 'more' })
      expect(await ledger.answer('more', 'approved')).toMatchObject({ request: { status: 'approved', granted: 30 } })
      expect((await ledger.limit('team/run', 'tokens')).limit.max).toBe(70)
      await ledger.spend('team/run', { tokens: 30 })
      await ledger.ask('team/run', 'tokens', 5, { requestId: 'even more' })
      expect(await ledger.answer('even more', 'approved')).toMatchObject({
        kind: 'answered',
        request: { status: 'denied', granted: null },
      })
      expect((await ledger.limit('team/run', 'tokens')).limit.max).toBe(70)
    })

    test('A16: is cut by what is left above on the day of the answer', async (ledger) => {
      await ledger.open('team', [limitOn('tokens', 100, { per: 'day' })])
      await ledger.open('team/run', [limitOn('tokens', 40)])
      await ledger.spend('team/run', { tokens: 40 })
      await ledger.spend('team', { tokens: 60 })
      await ledger.ask('team/run', 'tokens', 30, { requestId: 'more' })
      ledger.atMs += 86_400_000
      expect(await ledger.answer('more', 'approved')).toMatchObject({ request: { status: 'approved', granted: 30 } })
    })

    test('raises a limit that only warns, or counts nothing, whatever is left above', async (ledger) => {
      await ledger.open('team', [limitOn('tokens', 100), limitOn('time', 1_000)])
      await ledger.spend('team', { tokens: 90 })
      await ledger.open('team/run', [limitOn('tokens', 40, { action: 'warn' }), limitOn('time', 1_000)])
      await ledger.open('alone', [limitOn('tokens', 40, { action: 'warn' })])
      for (const [path, meter] of [
        ['team/run', 'tokens'],
        ['team/run', 'time'],
        ['alone', 'tokens'],
      ] as const) {
        const requestId = `${meter} of ${path}`
        const { max } = (await ledger.limit(path, meter)).limit
        await ledger.ask(path, meter, 500, { requestId })
        expect(await ledger.answer(requestId, 'approved')).toMatchObject({ request: { granted: 500 } })
        expect((await ledger.limit(path, meter)).limit.max).toBe(max + 500)
      }
    })

    test('counts once: a later answer gets the one that counted', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      await ledger.ask('run', 'tokens', 50, { requestId: 'more' })
      const first = await ledger.answer('more', 'approved', { by: 'ann' })
      for (const verdict of ['approved', 'denied', 'expired'] as const) {
        const later = await ledger.answer('more', verdict, { by: 'bob' })
        expect(later).toEqual({ kind: 'duplicate', request: first.kind === 'answered' && first.request })
      }
      expect((await ledger.limit('run', 'tokens')).limit.max).toBe(150)
      expect(await ledger.answer('never asked', 'approved')).toEqual({ kind: 'unknown' })
    })

    test('E3: that denies or comes too late leaves the limit unchanged, and another request is possible', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      for (const verdict of ['denied', 'expired'] as const) {
        expect((await ledger.ask('run', 'tokens', 50, { requestId: verdict })).kind).toBe('asked')
        expect(await ledger.answer(verdict, verdict, { by: 'ann' })).toMatchObject({
          request: { status: verdict, granted: null, by: 'ann', answeredAtMs: ledger.atMs },
        })
      }
      expect((await ledger.limit('run', 'tokens')).limit.max).toBe(100)
      expect((await ledger.ask('run', 'tokens', 50)).kind).toBe('asked')
    })

    test('denies the open requests of a scope that ends', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      await ledger.open('other', [limitOn('tokens', 100)])
      await ledger.ask('run', 'tokens', 50, { requestId: 'of run' })
      await ledger.ask('other', 'tokens', 50, { requestId: 'of other' })
      ledger.atMs += 1_000
      await ledger.close('run')
      expect(await ledger.store.requests({ status: 'denied' })).toMatchObject([
        { id: 'of run', granted: null, answeredAtMs: ledger.atMs },
      ])
      expect((await ledger.answer('of run', 'approved')).kind).toBe('duplicate')
      expect((await ledger.answer('of other', 'approved')).kind).toBe('answered')
    })
  })
}
