import type { Contract } from './contract.ts'
import { limitOn } from './limit-on.ts'

/** Limits with a period. */
export function describeWindows({ describe, test, expect }: Contract): void {
  describe('windows', () => {
    const DAY_MS = 86_400_000

    test('A16: a day and a month hold on one scope, and a breach says when it resets', async (ledger) => {
      await ledger.open('run', [limitOn('cost', 10, { per: 'day' }), limitOn('cost', 25, { per: 'month' })])
      for (let day = 0; day < 2; day++) {
        await ledger.spend('run', { cost: 10 })
        expect(await ledger.reserve('run', { cost: 1 })).toMatchObject({
          kind: 'breached',
          breaches: [{ per: 'day', limit: 10, settled: 10, resetsAt: Date.UTC(2026, 10, 16 + day) }],
        })
        ledger.atMs += DAY_MS
      }
      expect(await ledger.reserve('run', { cost: 6 })).toMatchObject({
        kind: 'breached',
        breaches: [{ per: 'month', limit: 25, settled: 20, resetsAt: Date.UTC(2026, 11, 1) }],
      })
      expect((await ledger.reserve('run', { cost: 5 })).kind).toBe('granted')
      expect(await ledger.settled('run', 'cost')).toBe(20)
    })

    test('A16: a settlement lands in the window of its reservation', async (ledger) => {
      await ledger.open('run', [limitOn('cost', 10, { per: 'day' })])
      const yesterday = ledger.atMs
      await ledger.reserve('run', { cost: 8 }, { reservationId: 'long' })
      ledger.atMs += DAY_MS
      await ledger.spend('run', { cost: 9 })
      await ledger.store.settle({ reservationId: 'long', actual: { cost: 7 }, atMs: ledger.atMs })
      expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 9, reserved: 0, remaining: 1 })
      ledger.atMs = yesterday
      expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 7, reserved: 0, remaining: 3 })
    })

    test('a spawn is admitted again when the day of its limit is over', async (ledger) => {
      await ledger.open('run', [limitOn('spawns', 1, { per: 'day' })])
      await ledger.open('run/a')
      expect((await ledger.open('run/b')).kind).toBe('refused')
      ledger.atMs += DAY_MS
      expect((await ledger.open('run/b')).kind).toBe('opened')
    })

    test('a window with a call in flight is kept through any number of others', async (ledger) => {
      await ledger.open('run', [limitOn('cost', 10, { per: 'hour' })])
      const longAgo = ledger.atMs
      await ledger.spend('run', { cost: 1 })
      await ledger.reserve('run', { cost: 5 }, { reservationId: 'long' })
      for (let hour = 0; hour < 420; hour++) {
        ledger.atMs += 3_600_000
        await ledger.spend('run', { cost: 2 })
      }
      await ledger.settle('long', { actual: { cost: 4 } })
      ledger.atMs = longAgo
      expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 5, reserved: 0 })
    })

    test('a hold that is asked for late is sized in the latest window', async (ledger) => {
      await ledger.open('run', [limitOn('cost', 4, { per: 'hour' })])
      const before = ledger.atMs
      ledger.atMs += 3_600_000
      await ledger.reserve('run', { cost: 4 })
      const ask = { wanted: { cost: 1 }, smallest: {} }
      expect(await ledger.store.hold({ scopeId: 'run', ask, atMs: before })).toEqual({ held: { cost: 0 } })
      expect(await ledger.limit('run', 'cost')).toMatchObject({ reserved: 4, held: 0 })
    })

    test('children of a group count in one window, even if their holds are sized in another', async (ledger) => {
      await ledger.open('run', [limitOn('spawns', 2, { per: 'day' }), limitOn('modelCalls', 100)])
      const group = (names: string[], atMs: number) => {
        const hold = { wanted: { modelCalls: 1 }, smallest: {} }
        const scopes = names.map((name) => ({ id: name, name, kind: 'agent', owner: 'x', limits: [], hold }) as const)
        return ledger.store.open({ parentId: 'run', scopes, atMs })
      }
      await group(['a', 'b'], ledger.atMs + DAY_MS)
      await group(['c', 'd'], ledger.atMs)
      const spawns = async (atMs: number) => (await ledger.store.read({ scopeId: 'run', atMs }))!.at(-1)!.limits
      for (const atMs of [ledger.atMs, ledger.atMs + DAY_MS]) {
        expect((await spawns(atMs)).find(({ limit }) => limit.meter === 'spawns')?.settled).toBe(2)
      }
    })

    test('a hold must fit now, even if a clock that was ahead has opened a later window', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100, { per: 'day' })])
      const ahead = await ledger.reserve(
        'run',
        { tokens: 1 },
        { reservationId: 'ahead', atMs: ledger.atMs + 40 * DAY_MS },
      )
      expect(ahead.kind).toBe('granted')
      await ledger.reserve('run', { tokens: 100 }, { reservationId: 'now' })
      const hold = { wanted: { tokens: 50 }, smallest: {} }
      await ledger.store.settle({ reservationId: 'now', actual: null, hold, atMs: ledger.atMs })
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 100, held: 0 })
    })

    test('only the breached period is announced as exceeded, though both limits have one source', async (ledger) => {
      const source = { layer: 'call', written: 'cost' } as const
      const limits = [limitOn('cost', 10, { per: 'day', source }), limitOn('cost', 5, { per: 'month', source })]
      await ledger.open('run', limits)
      await ledger.spend('run', { cost: 5 })
      const first = await ledger.reserve('run', { cost: 1 })
      expect(first.kind === 'breached' && first.newlyExceeded.map(({ per }) => per)).toEqual(['month'])
      const second = await ledger.reserve('run', { cost: 6 })
      expect(second.kind === 'breached' && second.newlyExceeded.map(({ per }) => per)).toEqual(['day'])
    })

    test('announces again in a new window', async (ledger) => {
      await ledger.open('run', [limitOn('cost', 10, { per: 'day' })])
      const near = async (): Promise<number> => {
        const outcome = await ledger.reserve('run', { cost: 9 })
        if (outcome.kind !== 'granted') return -1
        const { reservationId } = outcome
        const settled = await ledger.store.settle({ reservationId, actual: null, atMs: ledger.atMs })
        return settled.kind === 'settled' ? settled.crossings.length : -1
      }
      expect(await near()).toBe(1)
      ledger.atMs += DAY_MS
      expect(await near()).toBe(1)
    })

    test('a limit with a period that is added later counts from then on, and knows nothing of calls in flight', async (ledger) => {
      await ledger.open('run')
      await ledger.reserve('run', { cost: 8 }, { reservationId: 'before' })
      await ledger.store.setLimits({
        scopeId: 'run',
        limits: [limitOn('cost', 10, { per: 'day' })],
        atMs: ledger.atMs,
      })
      await ledger.reserve('run', { cost: 3 })
      await ledger.store.settle({ reservationId: 'before', actual: null, atMs: ledger.atMs })
      expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 0, reserved: 3 })
      expect((await ledger.read('run')).totals.cost).toEqual({ settled: 8, reserved: 3 })
    })
  })
}
