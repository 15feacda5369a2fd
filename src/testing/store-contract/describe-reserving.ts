import type { Contract } from './contract.ts'
import { limitOn } from './limit-on.ts'

/** Reserving and settling on a path. */
export function describeReserving({ describe, test, expect }: Contract): void {
  describe('reserve and settle', () => {
    test('B2: charge every ancestor exactly once', async (ledger) => {
      for (const path of ['team', 'team/run', 'team/run/left', 'team/run/right']) await ledger.open(path)
      await ledger.spend('team/run/left', { tokens: 30 })
      await ledger.spend('team/run/right', { tokens: 12 })
      const spent = async (path: string): Promise<number> => ledger.settled(path, 'tokens')
      expect([await spent('team'), await spent('team/run'), await spent('team/run/left')]).toEqual([42, 42, 30])
    })

    test('B1: an inner limit of 500 breaches within an outer of 1000, and is named as the source', async (ledger) => {
      await ledger.open('outer', [limitOn('tokens', 1_000)])
      await ledger.open('outer/inner', [limitOn('tokens', 500)])
      const outcome = await ledger.reserve('outer/inner', { tokens: 600 })
      expect(outcome).toMatchObject({
        kind: 'breached',
        mayFitLater: false,
        breaches: [{ scope: 'outer/inner', limit: 500 }],
      })
      expect(outcome.kind === 'breached' && outcome.breaches).toHaveLength(1)
    })

    test('B3, B4: a child spends from its parent’s pool, whatever its own limit says', async (ledger) => {
      await ledger.open('root', [limitOn('tokens', 100)])
      await ledger.open('root/child', [limitOn('tokens', 5_000)])
      await ledger.spend('root', { tokens: 50 })
      await ledger.spend('root/child', { tokens: 50 })
      expect(await ledger.limit('root', 'tokens')).toMatchObject({ settled: 100, remaining: 0 })
      expect(await ledger.settled('root/child', 'tokens')).toBe(50)
      expect(await ledger.reserve('root/child', { tokens: 1 })).toMatchObject({
        kind: 'breached',
        breaches: [{ scope: 'root' }],
      })
      expect(await ledger.open('root/child/grandchild')).toMatchObject({
        kind: 'refused',
        mayFitLater: false,
        breaches: [{ scope: 'root', settled: 100, limit: 100, remaining: 0 }],
      })
    })

    test('reads how many children are open as what is used of concurrency', async (ledger) => {
      await ledger.open('run', [limitOn('concurrency', 4)])
      for (const child of ['a', 'b', 'c']) await ledger.open(`run/${child}`)
      expect(await ledger.limit('run', 'concurrency')).toMatchObject({ settled: 3, remaining: 1 })
    })

    test('B5: of 1,000 parallel reserves with room for 10, exactly 10 are granted', async (ledger) => {
      await ledger.open('run', [limitOn('toolCalls', 10), limitOn('tokens', 5_000)])
      const toolCalls = await Promise.all(Array.from({ length: 1_000 }, () => ledger.reserve('run', { toolCalls: 1 })))
      expect(toolCalls.filter(({ kind }) => kind === 'granted')).toHaveLength(10)
      expect(toolCalls.filter((each) => each.kind === 'breached' && !each.mayFitLater)).toHaveLength(990)
      const tokens = await Promise.all(Array.from({ length: 1_000 }, () => ledger.reserve('run', { tokens: 500 })))
      expect(tokens.filter(({ kind }) => kind === 'granted')).toHaveLength(10)
      expect(tokens.filter((each) => each.kind === 'breached' && each.mayFitLater)).toHaveLength(990)
    })

    test('D6: a call counts on its phase and on the total, and the first that is full stops it', async (ledger) => {
      const usd = (amount: number): number => Math.round(amount * 1e9)
      const limits = [limitOn('planningCost', usd(0.5)), limitOn('executionCost', usd(0.3)), limitOn('cost', usd(1))]
      await ledger.open('run', limits)
      const planned = { cost: usd(0.4), planningCost: usd(0.4) }
      await ledger.spend('run', planned)
      expect(await ledger.reserve('run', planned)).toMatchObject({
        kind: 'breached',
        breaches: [{ meter: 'planningCost' }],
      })
      await ledger.spend('run', { cost: usd(0.3), executionCost: usd(0.3) })
      expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: usd(0.7), remaining: usd(0.3) })
      await ledger.spend('run', { cost: usd(0.25) })
      const last = await ledger.reserve('run', { cost: usd(0.06), planningCost: usd(0.06) })
      expect(last).toMatchObject({ kind: 'breached', breaches: [{ meter: 'cost' }] })
    })

    test('A9: output tokens and tokens are limits of their own', async (ledger) => {
      await ledger.open('output', [limitOn('outputTokens', 1_500)])
      await ledger.open('all', [limitOn('tokens', 1_500)])
      const call = { tokens: 2_100, outputTokens: 100, uncachedTokens: 2_100 }
      expect((await ledger.reserve('output', call)).kind).toBe('granted')
      expect((await ledger.reserve('all', call)).kind).toBe('breached')
    })

    test('A15: an overrun is charged and noted, closes nothing, and leaves nothing to grant', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      await ledger.reserve('run', { tokens: 100 }, { reservationId: 'one' })
      const outcome = await ledger.store.settle({ reservationId: 'one', actual: { tokens: 101 }, atMs: ledger.atMs })
      expect(outcome).toMatchObject({ kind: 'settled', charged: { tokens: 101 }, overrun: { tokens: 1 } })
      expect(outcome.kind === 'settled' && outcome.crossings.map(({ crossing }) => crossing.kind)).toEqual([
        'nearing',
        'exceeded',
      ])
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 101, remaining: 0, overrun: 1 })
      expect((await ledger.read('run')).status).toBe('running')
      expect((await ledger.reserve('run', { tokens: 1 })).kind).toBe('breached')
      expect((await ledger.reserve('run', { toolCalls: 1 })).kind).toBe('granted')
    })

    test('A2: says once that a limit is exceeded, and again only after a raise', async (ledger) => {
      await ledger.open('run', [limitOn('toolCalls', 5)])
      for (let call = 0; call < 5; call++) await ledger.spend('run', { toolCalls: 1 })
      const refused = async (): Promise<unknown> => {
        const outcome = await ledger.reserve('run', { toolCalls: 1 })
        return outcome.kind === 'breached' && outcome.newlyExceeded.map(({ settled, asked }) => ({ settled, asked }))
      }
      expect([await refused(), await refused()]).toEqual([[{ settled: 5, asked: 1 }], []])
      await ledger.store.setLimits({ scopeId: 'run', limits: [limitOn('toolCalls', 6)], atMs: ledger.atMs })
      await ledger.spend('run', { toolCalls: 1 })
      expect(await refused()).toEqual([{ settled: 6, asked: 1 }])
    })

    test('announces nothing while the caller would wait for calls in flight', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      await ledger.reserve('run', { tokens: 90 })
      expect(await ledger.reserve('run', { tokens: 50 }, { patient: true })).toMatchObject({
        mayFitLater: true,
        newlyExceeded: [],
      })
      expect(await ledger.reserve('run', { tokens: 50 })).toMatchObject({
        mayFitLater: true,
        newlyExceeded: [{ asked: 50 }],
      })
    })

    test('D3: a refusal changes nothing, and after a raise the same request runs', async (ledger) => {
      await ledger.open('run', [limitOn('cost', 100)])
      await ledger.spend('run', { cost: 95 })
      const before = await ledger.read('run')
      expect((await ledger.reserve('run', { cost: 10 }, { reservationId: 'again' })).kind).toBe('breached')
      expect({ ...(await ledger.read('run')), limits: [] }).toEqual({ ...before, limits: [] })
      expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 95, reserved: 0, held: 0 })
      await ledger.store.setLimits({ scopeId: 'run', limits: [limitOn('cost', 110)], atMs: ledger.atMs })
      expect((await ledger.reserve('run', { cost: 10 }, { reservationId: 'again' })).kind).toBe('granted')
      const settled = await ledger.store.settle({ reservationId: 'again', actual: { cost: 10 }, atMs: ledger.atMs })
      expect(settled.kind === 'settled' && settled.crossings).toMatchObject([
        { crossing: { kind: 'nearing' }, settled: 105 },
      ])
    })
  })
}
