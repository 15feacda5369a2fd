import { describe, expect, it } from 'vitest'
import { limitFixture } from '../../core/limit.fixture.ts'
import { createLedgerFixture } from './memory-store.fixture.ts'

describe('reserve and settle', () => {
  it('B2: charge every ancestor exactly once', async () => {
    const ledger = createLedgerFixture()
    for (const path of ['team', 'team/run', 'team/run/left', 'team/run/right']) await ledger.open(path)
    await ledger.spend('team/run/left', { tokens: 30 })
    await ledger.spend('team/run/right', { tokens: 12 })
    const spent = async (path: string): Promise<number> => ledger.settled(path, 'tokens')
    expect([await spent('team'), await spent('team/run'), await spent('team/run/left')]).toEqual([42, 42, 30])
  })

  it('B1: an inner limit of 500 breaches within an outer of 1000, and is named as the source', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('outer', [limitFixture('tokens', 1_000)])
    await ledger.open('outer/inner', [limitFixture('tokens', 500)])
    const outcome = await ledger.reserve('outer/inner', { tokens: 600 })
    expect(outcome).toMatchObject({
      kind: 'breached',
      mayFitLater: false,
      breaches: [{ scope: 'outer/inner', limit: 500 }],
    })
    expect(outcome.kind === 'breached' && outcome.breaches).toHaveLength(1)
  })

  it('B3, B4: a child spends from its parent’s pool, whatever its own limit says', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('root', [limitFixture('tokens', 100)])
    await ledger.open('root/child', [limitFixture('tokens', 5_000)])
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

  it('reads how many children are open as what is used of concurrency', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('concurrency', 4)])
    for (const child of ['a', 'b', 'c']) await ledger.open(`run/${child}`)
    expect(await ledger.limit('run', 'concurrency')).toMatchObject({ settled: 3, remaining: 1 })
  })

  it('B5: of 1,000 parallel reserves with room for 10, exactly 10 are granted', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('toolCalls', 10), limitFixture('tokens', 5_000)])
    const toolCalls = await Promise.all(Array.from({ length: 1_000 }, () => ledger.reserve('run', { toolCalls: 1 })))
    expect(toolCalls.filter(({ kind }) => kind === 'granted')).toHaveLength(10)
    expect(toolCalls.filter((each) => each.kind === 'breached' && !each.mayFitLater)).toHaveLength(990)
    const tokens = await Promise.all(Array.from({ length: 1_000 }, () => ledger.reserve('run', { tokens: 500 })))
    expect(tokens.filter(({ kind }) => kind === 'granted')).toHaveLength(10)
    expect(tokens.filter((each) => each.kind === 'breached' && each.mayFitLater)).toHaveLength(990)
  })

  it('D6: a call counts on its phase and on the total, and the first that is full stops it', async () => {
    const ledger = createLedgerFixture()
    const usd = (amount: number): number => Math.round(amount * 1e9)
    const limits = [
      limitFixture('planningCost', usd(0.5)),
      limitFixture('executionCost', usd(0.3)),
      limitFixture('cost', usd(1)),
    ]
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

  it('A9: output tokens and tokens are limits of their own', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('output', [limitFixture('outputTokens', 1_500)])
    await ledger.open('all', [limitFixture('tokens', 1_500)])
    const call = { tokens: 2_100, outputTokens: 100, uncachedTokens: 2_100 }
    expect((await ledger.reserve('output', call)).kind).toBe('granted')
    expect((await ledger.reserve('all', call)).kind).toBe('breached')
  })

  it('A15: an overrun is charged and noted, closes nothing, and leaves nothing to grant', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('tokens', 100)])
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

  it('A2: says once that a limit is exceeded, and again only after a raise', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('toolCalls', 5)])
    for (let call = 0; call < 5; call++) await ledger.spend('run', { toolCalls: 1 })
    const refused = async (): Promise<unknown> => {
      const outcome = await ledger.reserve('run', { toolCalls: 1 })
      return outcome.kind === 'breached' && outcome.newlyExceeded.map(({ settled, asked }) => ({ settled, asked }))
    }
    expect([await refused(), await refused()]).toEqual([[{ settled: 5, asked: 1 }], []])
    await ledger.store.setLimits({ scopeId: 'run', limits: [limitFixture('toolCalls', 6)], atMs: ledger.atMs })
    await ledger.spend('run', { toolCalls: 1 })
    expect(await refused()).toEqual([{ settled: 6, asked: 1 }])
  })

  it('says nothing of a limit that is only busy while the caller would wait', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('tokens', 100)])
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

  it('D3: a refusal changes nothing, and after a raise the same request runs', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('cost', 100)])
    await ledger.spend('run', { cost: 95 })
    const before = await ledger.read('run')
    expect((await ledger.reserve('run', { cost: 10 }, { reservationId: 'again' })).kind).toBe('breached')
    expect({ ...(await ledger.read('run')), limits: [] }).toEqual({ ...before, limits: [] })
    expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 95, reserved: 0, held: 0 })
    await ledger.store.setLimits({ scopeId: 'run', limits: [limitFixture('cost', 110)], atMs: ledger.atMs })
    expect((await ledger.reserve('run', { cost: 10 }, { reservationId: 'again' })).kind).toBe('granted')
    const settled = await ledger.store.settle({ reservationId: 'again', actual: { cost: 10 }, atMs: ledger.atMs })
    expect(settled.kind === 'settled' && settled.crossings).toMatchObject([
      { crossing: { kind: 'nearing' }, settled: 105 },
    ])
  })
})

describe('what is sent twice', () => {
  it('reserves once, and refuses another request under the same id', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('tokens', 100)])
    const first = await ledger.reserve('run', { tokens: 60 }, { reservationId: 'one' })
    const second = await ledger.reserve('run', { tokens: 60 }, { reservationId: 'one' })
    expect([first, second]).toMatchObject([{ duplicate: false }, { duplicate: true, amounts: { tokens: 60 } }])
    expect((await ledger.limit('run', 'tokens')).reserved).toBe(60)
    const rates = [{ meter: 'tokens', numerator: 1, denominator: 1 } as const]
    const elastic = { least: 1, enough: 1, most: 1, rates }
    await ledger.open('other')
    for (const [path, amounts, more] of [
      ['run', { tokens: 61 }, {}],
      ['run', { tokens: 60 }, { elastic }],
      ['other', { tokens: 60 }, {}],
    ] as const) {
      await expect(ledger.reserve(path, amounts, { reservationId: 'one', ...more })).rejects.toThrow(/used before/)
    }
  })

  it('tells again what a settlement passed, should the first answer be lost', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('tokens', 100)])
    await ledger.reserve('run', { tokens: 90 }, { reservationId: 'one' })
    const settle = () => ledger.store.settle({ reservationId: 'one', actual: null, atMs: ledger.atMs })
    const [first, second] = [await settle(), await settle()]
    expect(second).toMatchObject({ kind: 'duplicate', crossings: [{ crossing: { kind: 'nearing' } }] })
    expect(first.kind === 'settled' && first.crossings).toEqual(second.kind === 'duplicate' && second.crossings)
  })

  it('law 3: settles once, and another amount is a conflict without effect', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run')
    await ledger.reserve('run', { tokens: 60 }, { reservationId: 'one' })
    const settle = (tokens: number) =>
      ledger.store.settle({ reservationId: 'one', actual: { tokens }, atMs: ledger.atMs }).then(({ kind }) => kind)
    expect([await settle(10), await settle(10), await settle(11)]).toEqual(['settled', 'duplicate', 'conflict'])
    expect((await ledger.store.release({ reservationId: 'one', atMs: ledger.atMs })).kind).toBe('conflict')
    expect(await ledger.settled('run', 'tokens')).toBe(10)
  })

  it('releases once, and a settlement afterwards is a conflict', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('tokens', 100)])
    await ledger.reserve('run', { tokens: 60 }, { reservationId: 'one' })
    const release = () => ledger.store.release({ reservationId: 'one', atMs: ledger.atMs }).then(({ kind }) => kind)
    expect([await release(), await release()]).toEqual(['released', 'duplicate'])
    const settled = await ledger.store.settle({ reservationId: 'one', actual: { tokens: 5 }, atMs: ledger.atMs })
    expect(settled).toMatchObject({ kind: 'conflict', state: 'released' })
    expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 0, reserved: 0 })
  })

  it('law 5: a finished id cannot be reserved again, so that no call goes out under it unseen', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('tokens', 100)])
    await ledger.reserve('run', { tokens: 100 }, { reservationId: 'one' })
    await ledger.store.release({ reservationId: 'one', atMs: ledger.atMs })
    await expect(ledger.reserve('run', { tokens: 100 }, { reservationId: 'one' })).rejects.toThrow(/finished/)
    expect((await ledger.limit('run', 'tokens')).reserved).toBe(0)
  })

  it('opens once, and another scope under the same id is refused', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('team')
    expect([(await ledger.open('team/run')).kind, (await ledger.open('team/run')).kind]).toEqual(['opened', 'opened'])
    expect(await ledger.settled('team', 'spawns')).toBe(1)
    await ledger.open('other')
    const scope = { id: 'team/run', name: 'run', kind: 'agent', owner: null, limits: [] } as const
    const stolen = ledger.store.open({ parentId: 'other', scopes: [scope], atMs: ledger.atMs })
    await expect(stolen).rejects.toThrow(/exists already/)
    await expect(ledger.open('team/run', [], { name: 'renamed' })).rejects.toThrow(/exists already/)
    expect(await ledger.open('team/run')).toMatchObject({ created: [] })
  })

  it('is not known any more when its record was forgotten, and then changes nothing', async () => {
    const ledger = createLedgerFixture({ finishedReservationsKept: 10 })
    await ledger.open('run')
    await ledger.reserve('run', { tokens: 7 }, { reservationId: 'in flight' })
    await ledger.reserve('run', { tokens: 5 }, { reservationId: 'old' })
    await ledger.store.settle({ reservationId: 'old', actual: null, atMs: ledger.atMs })
    for (let call = 0; call < 50; call++) await ledger.spend('run', { tokens: 1 })
    const again = await ledger.store.settle({ reservationId: 'old', actual: { tokens: 9 }, atMs: ledger.atMs })
    expect(again).toEqual({ kind: 'unknown' })
    expect((await ledger.store.settle({ reservationId: 'in flight', actual: null, atMs: ledger.atMs })).kind).toBe(
      'settled',
    )
    expect(await ledger.settled('run', 'tokens')).toBe(62)
  })
})

describe('windows', () => {
  const DAY_MS = 86_400_000

  it('A16: a day and a month hold on one scope, and a breach says when it resets', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('cost', 10, { per: 'day' }), limitFixture('cost', 25, { per: 'month' })])
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

  it('A16: a settlement lands in the window of its reservation', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('cost', 10, { per: 'day' })])
    const yesterday = ledger.atMs
    await ledger.reserve('run', { cost: 8 }, { reservationId: 'long' })
    ledger.atMs += DAY_MS
    await ledger.spend('run', { cost: 9 })
    await ledger.store.settle({ reservationId: 'long', actual: { cost: 7 }, atMs: ledger.atMs })
    expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 9, reserved: 0, remaining: 1 })
    ledger.atMs = yesterday
    expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 7, reserved: 0, remaining: 3 })
  })

  it('a spawn is admitted again when the day of its limit is over', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('spawns', 1, { per: 'day' })])
    await ledger.open('run/a')
    expect((await ledger.open('run/b')).kind).toBe('refused')
    ledger.atMs += DAY_MS
    expect((await ledger.open('run/b')).kind).toBe('opened')
  })

  it('a window with a call in flight is kept through any number of others, which are not', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('cost', 10, { per: 'hour' })])
    const longAgo = ledger.atMs
    await ledger.spend('run', { cost: 1 })
    await ledger.reserve('run', { cost: 5 }, { reservationId: 'long' })
    ledger.atMs += 3_600_000
    const next = ledger.atMs
    for (let hour = 0; hour < 420; hour++) {
      await ledger.spend('run', { cost: 2 })
      ledger.atMs += 3_600_000
    }
    await ledger.store.settle({ reservationId: 'long', actual: { cost: 4 }, atMs: ledger.atMs })
    ledger.atMs = longAgo
    expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 5, reserved: 0 })
    ledger.atMs = next
    expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 0 })
  })

  it('a hold that is asked for late is sized in the latest window', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('cost', 4, { per: 'hour' })])
    const before = ledger.atMs
    ledger.atMs += 3_600_000
    await ledger.reserve('run', { cost: 4 })
    const ask = { wanted: { cost: 1 }, smallest: {} }
    expect(await ledger.store.hold({ scopeId: 'run', ask, atMs: before })).toEqual({ held: { cost: 0 } })
    expect(await ledger.limit('run', 'cost')).toMatchObject({ reserved: 4, held: 0 })
  })

  it('children of a group count in one window, also where their holds are sized in another', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('spawns', 2, { per: 'day' }), limitFixture('modelCalls', 100)])
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

  it('a hold must have room now, also where a clock that was ahead has opened a later window', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('tokens', 100, { per: 'day' })])
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

  it('only the period that is breached is said to be exceeded, though both come from one place', async () => {
    const ledger = createLedgerFixture()
    const source = { layer: 'call', written: 'cost' } as const
    const limits = [limitFixture('cost', 10, { per: 'day', source }), limitFixture('cost', 5, { per: 'month', source })]
    await ledger.open('run', limits)
    await ledger.spend('run', { cost: 5 })
    const first = await ledger.reserve('run', { cost: 1 })
    expect(first.kind === 'breached' && first.newlyExceeded.map(({ per }) => per)).toEqual(['month'])
    const second = await ledger.reserve('run', { cost: 6 })
    expect(second.kind === 'breached' && second.newlyExceeded.map(({ per }) => per)).toEqual(['day'])
  })

  it('announces again in a new window', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('cost', 10, { per: 'day' })])
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

  it('a limit with a period that is added later counts from then on, and knows nothing of calls in flight', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run')
    await ledger.reserve('run', { cost: 8 }, { reservationId: 'before' })
    await ledger.store.setLimits({
      scopeId: 'run',
      limits: [limitFixture('cost', 10, { per: 'day' })],
      atMs: ledger.atMs,
    })
    await ledger.reserve('run', { cost: 3 })
    await ledger.store.settle({ reservationId: 'before', actual: null, atMs: ledger.atMs })
    expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 0, reserved: 3 })
    expect((await ledger.read('run')).totals.cost).toEqual({ settled: 8, reserved: 3 })
  })
})

describe('limits that are written anew', () => {
  it('D3: a raised ceiling goes on from what was counted, though it comes from a grant now', async () => {
    const ledger = createLedgerFixture()
    const ceiling = { layer: 'ceiling', written: 'cost' } as const
    await ledger.open('run', [limitFixture('cost', 10, { per: 'day', source: ceiling })])
    await ledger.spend('run', { cost: 10 })
    const grant = { layer: 'grant', written: 'cost' } as const
    const limits = [limitFixture('cost', 20, { per: 'day', source: grant })]
    await ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
    expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 10, remaining: 10 })
  })

  it('another time zone forgets nothing of the present window, settled or in flight', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('cost', 10, { per: 'day' })])
    await ledger.spend('run', { cost: 4 })
    await ledger.reserve('run', { cost: 5 }, { reservationId: 'in flight' })
    const limits = [limitFixture('cost', 10, { per: 'day', timeZone: 'Asia/Tokyo' })]
    await ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
    expect((await ledger.reserve('run', { cost: 2 })).kind).toBe('breached')
    await ledger.store.settle({ reservationId: 'in flight', actual: { cost: 1 }, atMs: ledger.atMs })
    expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 5, reserved: 0 })
    expect(await ledger.settled('run', 'cost')).toBe(5)
  })

  it('an hour is the same in every zone', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('cost', 10, { per: 'hour' })])
    await ledger.reserve('run', { cost: 9 }, { reservationId: 'in flight' })
    const limits = [limitFixture('cost', 10, { per: 'hour', timeZone: 'Asia/Tokyo' })]
    await ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
    await ledger.store.release({ reservationId: 'in flight', atMs: ledger.atMs })
    expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 0, reserved: 0, remaining: 10 })
  })

  it('a lower limit cuts the holds to half of it, the latest first, and one that pauses has none', async () => {
    const ledger = createLedgerFixture()
    const hold = (tokens: number) => ({ hold: { wanted: { tokens }, smallest: {} } })
    await ledger.open('run', [limitFixture('tokens', 1_000)])
    await ledger.open('run/first', [], hold(150))
    await ledger.open('run/second', [], hold(300))
    const write = (max: number, action: 'terminate' | 'pause') => {
      const limits = [limitFixture('tokens', max, { action })]
      return ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
    }
    await write(400, 'terminate')
    expect(await ledger.limit('run', 'tokens')).toMatchObject({ held: 200, remaining: 200 })
    await ledger.store.close({ scopeId: 'run/first', status: 'completed', atMs: ledger.atMs })
    expect((await ledger.limit('run', 'tokens')).held).toBe(50)
    await write(400, 'pause')
    expect((await ledger.limit('run', 'tokens')).held).toBe(0)
  })

  it('a ceiling beside a limit is not announced again because the limit is', async () => {
    const ledger = createLedgerFixture()
    const ceiling = limitFixture('tokens', 50, { action: 'warn', source: { layer: 'ceiling', written: 'tokens' } })
    await ledger.open('run', [limitFixture('tokens', 100), ceiling])
    await ledger.spend('run', { tokens: 70 })
    const limits = [limitFixture('tokens', 200), ceiling]
    await ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
    await ledger.reserve('run', { tokens: 1 }, { reservationId: 'next' })
    const next = await ledger.store.settle({ reservationId: 'next', actual: null, atMs: ledger.atMs })
    expect(next.kind === 'settled' && next.crossings).toEqual([])
  })

  it('D3: a limit that went and came back higher is announced anew', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('toolCalls', 10)])
    await ledger.spend('run', { toolCalls: 10 })
    await ledger.reserve('run', { toolCalls: 1 })
    const write = (limits: ReturnType<typeof limitFixture>[]) =>
      ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
    await write([])
    await write([limitFixture('toolCalls', 100)])
    await ledger.reserve('run', { toolCalls: 75 }, { reservationId: 'more' })
    const more = await ledger.store.settle({ reservationId: 'more', actual: null, atMs: ledger.atMs })
    expect(more.kind === 'settled' && more.crossings).toMatchObject([{ crossing: { kind: 'nearing' }, settled: 85 }])
  })

  it('A1: writing another limit anew does not announce this one again', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('toolCalls', 10), limitFixture('cost', 10)])
    for (let call = 0; call < 8; call++) await ledger.spend('run', { toolCalls: 1 })
    const limits = [limitFixture('toolCalls', 10), limitFixture('cost', 20)]
    await ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
    await ledger.reserve('run', { toolCalls: 1 }, { reservationId: 'ninth' })
    const ninth = await ledger.store.settle({ reservationId: 'ninth', actual: null, atMs: ledger.atMs })
    expect(ninth.kind === 'settled' && ninth.crossings).toEqual([])
  })

  it('are kept as they were written, whatever the caller does with its objects', async () => {
    const ledger = createLedgerFixture()
    const limit = { ...limitFixture('tokens', 10) }
    await ledger.open('run', [limit])
    Object.assign(limit, { max: 1_000_000 })
    expect((await ledger.reserve('run', { tokens: 11 })).kind).toBe('breached')
  })

  it('law 6: a limit that comes, goes and comes again never changes what was counted', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run')
    await ledger.spend('run', { tokens: 40 })
    const write = (...limits: Parameters<typeof limitFixture>[]) =>
      ledger.store.setLimits({ scopeId: 'run', limits: limits.map((each) => limitFixture(...each)), atMs: ledger.atMs })
    await write(['tokens', 100])
    expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 40, remaining: 60 })
    await ledger.reserve('run', { tokens: 20 }, { reservationId: 'over the change' })
    await write()
    await ledger.store.settle({ reservationId: 'over the change', actual: { tokens: 15 }, atMs: ledger.atMs })
    await write(['tokens', 50])
    expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 55, reserved: 0, remaining: 0, overrun: 5 })
  })

  it('a limit with a period that goes and comes again still knows what was spent meanwhile', async () => {
    const ledger = createLedgerFixture()
    const limits = [limitFixture('cost', 10, { per: 'day' })]
    await ledger.open('run', limits)
    await ledger.spend('run', { cost: 4 })
    const write = (written: typeof limits) =>
      ledger.store.setLimits({ scopeId: 'run', limits: written, atMs: ledger.atMs })
    await write([])
    await ledger.spend('run', { cost: 3 })
    await write(limits)
    expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 7, remaining: 3 })
  })

  it('a hold on a limit that goes and comes again is there, and goes with its scope', async () => {
    const ledger = createLedgerFixture()
    const limits = [limitFixture('tokens', 100)]
    await ledger.open('run', limits)
    await ledger.open('run/a', [], { hold: { wanted: { tokens: 30 }, smallest: {} } })
    await ledger.store.setLimits({ scopeId: 'run', limits: [], atMs: ledger.atMs })
    await ledger.store.setLimits({ scopeId: 'run', limits, atMs: ledger.atMs })
    expect((await ledger.limit('run', 'tokens')).held).toBe(30)
    await ledger.store.close({ scopeId: 'run/a', status: 'completed', atMs: ledger.atMs })
    expect((await ledger.limit('run', 'tokens')).held).toBe(0)
  })

  it('are not written over what somebody else wrote meanwhile', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('tokens', 100)])
    const { revision } = await ledger.read('run')
    const write = (max: number) => {
      const limits = [limitFixture('tokens', max)]
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

describe('the end of a scope', () => {
  it('admits nothing more there or below, but what was in flight is still charged', async () => {
    const ledger = createLedgerFixture()
    for (const path of ['run', 'run/agent']) await ledger.open(path)
    await ledger.reserve('run/agent', { tokens: 5 }, { reservationId: 'late' })
    const close = () => ledger.store.close({ scopeId: 'run', status: 'stopped', atMs: ledger.atMs })
    expect([await close(), await close()]).toEqual([{ kind: 'closed' }, { kind: 'duplicate', status: 'stopped' }])
    expect(await ledger.reserve('run/agent', { tokens: 5 })).toEqual({ kind: 'closed', scopeId: 'run' })
    expect(await ledger.open('run/agent/child')).toEqual({ kind: 'closed', scopeId: 'run' })
    await ledger.store.settle({ reservationId: 'late', actual: { tokens: 4 }, atMs: ledger.atMs })
    expect(await ledger.settled('run', 'tokens')).toBe(4)
  })

  it('gives back the holds of everything below it', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('team', [limitFixture('tokens', 1_000)])
    await ledger.open('team/run')
    await ledger.open('team/run/child', [], { hold: { wanted: { tokens: 300 }, smallest: {} } })
    await ledger.store.close({ scopeId: 'team/run', status: 'stopped', atMs: ledger.atMs })
    expect((await ledger.limit('team', 'tokens')).held).toBe(0)
  })

  it('frees its place and its hold', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('concurrency', 1), limitFixture('tokens', 1_000)])
    await ledger.open('run/a', [], { hold: { wanted: { tokens: 300 }, smallest: { tokens: 1 } } })
    expect((await ledger.limit('run', 'tokens')).held).toBe(300)
    expect(await ledger.open('run/b')).toMatchObject({ kind: 'refused', mayFitLater: true })
    await ledger.store.close({ scopeId: 'run/a', status: 'completed', atMs: ledger.atMs })
    expect((await ledger.limit('run', 'tokens')).held).toBe(0)
    expect((await ledger.open('run/b')).kind).toBe('opened')
  })

  it('holds nothing any more, whatever settles later or is asked for', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('tokens', 1_000)])
    await ledger.open('run/a')
    await ledger.reserve('run/a', { tokens: 100 }, { reservationId: 'late' })
    await ledger.store.close({ scopeId: 'run/a', status: 'completed', atMs: ledger.atMs })
    const hold = { wanted: { tokens: 400 }, smallest: {} }
    await ledger.store.settle({ reservationId: 'late', actual: null, hold, atMs: ledger.atMs })
    expect(await ledger.store.hold({ scopeId: 'run/a', ask: hold, atMs: ledger.atMs })).toEqual({ held: {} })
    expect((await ledger.limit('run', 'tokens')).held).toBe(0)
  })

  it('is final: the same id is closed, not opened again', async () => {
    const ledger = createLedgerFixture()
    for (const path of ['run', 'run/a']) await ledger.open(path)
    await ledger.store.close({ scopeId: 'run/a', status: 'completed', atMs: ledger.atMs })
    expect(await ledger.open('run/a')).toEqual({ kind: 'closed', scopeId: 'run/a' })
    expect((await ledger.read('run')).openChildren).toBe(0)
  })

  it('is remembered for a while, and its parent’s totals for ever', async () => {
    const ledger = createLedgerFixture({ closedScopesKept: 5 })
    await ledger.open('team')
    for (let run = 0; run < 20; run++) {
      await ledger.open(`team/${run}`)
      await ledger.spend(`team/${run}`, { tokens: 1 })
      await ledger.store.close({ scopeId: `team/${run}`, status: 'completed', atMs: ledger.atMs })
    }
    expect(await ledger.store.read({ scopeId: 'team/0', atMs: ledger.atMs })).toBe(null)
    expect((await ledger.read('team/19')).status).toBe('completed')
    expect(await ledger.settled('team', 'tokens')).toBe(20)
  })
})

describe('spawns', () => {
  it('announce that their limit is near when a child is opened', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('spawns', 5)])
    const told: number[] = []
    for (const child of ['a', 'b', 'c', 'd', 'e']) {
      const outcome = await ledger.open(`run/${child}`)
      told.push(outcome.kind === 'opened' ? outcome.crossings.length : -1)
    }
    expect(told).toEqual([0, 0, 0, 1, 0])
    expect((await ledger.open('run/f')).kind).toBe('refused')
  })
})

describe('a holder that died', () => {
  it('has its open reservations charged in full, its holds and places freed, and the truth corrects it once', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('tokens', 1_000), limitFixture('concurrency', 1)])
    await ledger.open('run/child', [], { owner: 'dead', hold: { wanted: { tokens: 100 }, smallest: {} } })
    await ledger.reserve('run/child', { tokens: 400 }, { reservationId: 'orphan', holder: 'dead' })
    await ledger.reserve('run', { tokens: 50 }, { reservationId: 'alive' })
    const assumed = await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })
    expect(assumed).toMatchObject({
      reservations: [{ reservationId: 'orphan', charged: { tokens: 400 } }],
      orphanedScopes: ['run/child'],
    })
    expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 400, reserved: 50, held: 0 })
    expect((await ledger.open('run/next')).kind).toBe('opened')
    const settle = (tokens: number) =>
      ledger.store.settle({ reservationId: 'orphan', actual: { tokens }, atMs: ledger.atMs }).then(({ kind }) => kind)
    expect([await settle(120), await settle(120), await settle(400)]).toEqual(['corrected', 'duplicate', 'conflict'])
    expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 120, reserved: 50 })
    expect((await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })).reservations).toEqual([])
  })
})

describe('what a death leaves alone', () => {
  it('the holds and places of scopes that others own', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('concurrency', 2), limitFixture('tokens', 1_000)])
    await ledger.open('run/alive', [], { owner: 'alive', hold: { wanted: { tokens: 100 }, smallest: {} } })
    await ledger.open('run/dead', [], { owner: 'dead' })
    await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })
    expect((await ledger.read('run')).openChildren).toBe(1)
    expect((await ledger.limit('run', 'tokens')).held).toBe(100)
  })

  it('a scope that somebody adopts: no second spawn, and a place and a hold of its own again', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('concurrency', 1), limitFixture('tokens', 100), limitFixture('spawns', 1)])
    await ledger.open('run/a', [], { owner: 'first' })
    await ledger.store.assume({ holder: 'first', atMs: ledger.atMs })
    const hold = { wanted: { tokens: 30 }, smallest: {} }
    expect(await ledger.store.hold({ scopeId: 'run/a', ask: hold, atMs: ledger.atMs })).toEqual({ held: {} })
    expect(await ledger.open('run/a', [], { owner: 'second', hold })).toMatchObject({ created: [], adopted: ['run/a'] })
    expect(await ledger.read('run')).toMatchObject({ openChildren: 1 })
    expect((await ledger.limit('run', 'tokens')).held).toBe(30)
    expect(await ledger.open('run/a', [], { owner: 'third' })).toMatchObject({ adopted: [] })
    const died = await ledger.store.assume({ holder: 'second', atMs: ledger.atMs })
    expect(died.orphanedScopes).toEqual(['run/a'])
    expect(await ledger.read('run')).toMatchObject({ openChildren: 0 })
    expect((await ledger.limit('run', 'tokens')).held).toBe(0)
  })

  it('a scope that comes back waits for its place like any other', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('concurrency', 1)])
    await ledger.open('run/a', [], { owner: 'first' })
    await ledger.store.assume({ holder: 'first', atMs: ledger.atMs })
    await ledger.open('run/b')
    expect(await ledger.open('run/a', [], { owner: 'second' })).toMatchObject({ kind: 'refused', mayFitLater: true })
  })

  it('the record of what was assumed, however much is settled after it', async () => {
    const ledger = createLedgerFixture({ finishedReservationsKept: 5 })
    await ledger.open('run')
    await ledger.reserve('run', { tokens: 50 }, { reservationId: 'orphan', holder: 'dead' })
    await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })
    for (let call = 0; call < 40; call++) await ledger.spend('run', { toolCalls: 1 })
    const truth = await ledger.store.settle({ reservationId: 'orphan', actual: { tokens: 8 }, atMs: ledger.atMs })
    expect(truth.kind).toBe('corrected')
    expect(await ledger.settled('run', 'tokens')).toBe(8)
  })
})

describe('the hold of a closing call', () => {
  it('is nobody else’s, and is there for its own scope’s closing call', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('modelCalls', 3), limitFixture('tokens', 1_000)])
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

  it('is not sized anew by a settlement that is sent twice', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('tokens', 1_000)])
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

  it('is taken anew when the closing call was released, so that it can be tried again', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('tokens', 1_000)])
    const hold = { wanted: { tokens: 400 }, smallest: {} }
    await ledger.store.hold({ scopeId: 'run', ask: hold, atMs: ledger.atMs })
    await ledger.reserve('run', { tokens: 400 }, { closing: true, reservationId: 'first try' })
    await ledger.store.release({ reservationId: 'first try', hold, atMs: ledger.atMs })
    expect((await ledger.limit('run', 'tokens')).held).toBe(400)
  })

  it('is not compared with messages: a full conversation may be closed', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('messages', 10)])
    const reserve = (closing: boolean) => ledger.reserve('run', { modelCalls: 1 }, { messages: 10, closing })
    expect([(await reserve(false)).kind, (await reserve(true)).kind]).toEqual(['breached', 'granted'])
  })

  it('is re-sized with a settlement, and stands in a new window', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('tokens', 1_000, { per: 'day' })])
    await ledger.reserve('run', { tokens: 100 }, { reservationId: 'one' })
    const hold = { wanted: { tokens: 250 }, smallest: {} }
    await ledger.store.settle({ reservationId: 'one', actual: null, hold, atMs: ledger.atMs })
    expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 100, held: 250, remaining: 650 })
    ledger.atMs += 86_400_000
    expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 0, held: 250, remaining: 750 })
  })
})

describe('bad input', () => {
  it('is refused with the id or the value, and changes nothing', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run')
    await expect(ledger.reserve('nowhere', { tokens: 1 })).rejects.toThrow(/No scope has the id "nowhere"/)
    await expect(ledger.reserve('run', { tokens: -1 })).rejects.toThrow(/tokens is -1/)
    await expect(ledger.open('run/child', [], { name: '../etc' })).rejects.toThrow(/contains a slash/)
    expect((await ledger.read('run')).totals.tokens).toEqual({ settled: 0, reserved: 0 })
    expect(await ledger.store.read({ scopeId: 'nowhere', atMs: 0 })).toBe(null)
  })

  it('is refused where an amount is null: a NaN that went through JSON is not nothing', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('cost', 100)])
    const amounts = JSON.parse(JSON.stringify({ cost: Number.NaN }))
    await expect(ledger.reserve('run', amounts)).rejects.toThrow(/cost is null/)
  })

  it('is refused where a time is none, or lies where no window can be made', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('cost', 10, { per: 'day' })])
    for (const atMs of [Number.NaN, undefined as unknown as number, 8.64e15, -1]) {
      await expect(ledger.reserve('run', { cost: 10 }, { atMs: Number(atMs) })).rejects.toThrow(/atMs is/)
    }
  })

  it('is refused where a conversation has no length, or a reservation or scope no id', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('messages', 10)])
    for (const messages of [Number.NaN, -3, 'abc' as unknown as number]) {
      await expect(ledger.reserve('run', { modelCalls: 1 }, { messages })).rejects.toThrow(/messages is/)
    }
    for (const reservationId of ['', undefined as unknown as string]) {
      await expect(ledger.reserve('run', { toolCalls: 1 }, { reservationId })).rejects.toThrow(/reservationId/)
    }
    await expect(ledger.open('other', [], { id: '' })).rejects.toThrow(/id/)
  })

  it('says once that a conversation is full', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('messages', 10)])
    const told = async (): Promise<number> => {
      const outcome = await ledger.reserve('run', { modelCalls: 1 }, { messages: 10 })
      return outcome.kind === 'breached' ? outcome.newlyExceeded.length : -1
    }
    expect([await told(), await told()]).toEqual([1, 0])
  })

  it('is refused where an elastic part or a hold is malformed, before anything moves', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('tokens', 1_000)])
    const rate = { meter: 'tokens', numerator: 1, denominator: 1 } as const
    const part = { least: 1, enough: 1, most: 10, rates: [rate] }
    for (const elastic of [
      { ...part, most: Number.NaN },
      { ...part, least: 20 },
      { ...part, rates: [{ ...rate, numerator: -1 }] },
      { ...part, rates: [{ ...rate, denominator: 0 }] },
      { ...part, rates: [rate, rate] },
      { ...part, rates: [{ ...rate, meter: 'token' as 'tokens' }] },
    ]) {
      await expect(ledger.reserve('run', {}, { elastic, closing: true })).rejects.toThrow(/^reserve: /)
    }
    const ask = { wanted: { tokens: Number.NaN }, smallest: {} }
    await expect(ledger.store.hold({ scopeId: 'run', ask, atMs: ledger.atMs })).rejects.toThrow(/tokens is NaN/)
    expect(await ledger.limit('run', 'tokens')).toMatchObject({ reserved: 0, held: 0 })
  })

  it('is refused where a limit is not in its one form', async () => {
    const ledger = createLedgerFixture()
    const bad = [
      limitFixture('tokens', Number.NaN),
      limitFixture('tokens', 1.5),
      limitFixture('token' as 'tokens', 5),
      limitFixture('tokens', 5, { per: 'fortnight' as 'day' }),
      limitFixture('tokens', 5, { per: 'day', timeZone: 'Mars/Phobos' }),
      limitFixture('tokens', 5, { action: 'shout' as 'warn' }),
      limitFixture('tokens', 5, { nearing: [0.9, 0.8] }),
      limitFixture('tokens', 5, { nearing: [1] }),
    ]
    const twice = [limitFixture('tokens', 5), limitFixture('tokens', 6)]
    await expect(ledger.open('run', twice)).rejects.toThrow(/once for each period/)
    for (const limit of bad) await expect(ledger.open('run', [limit])).rejects.toThrow(/limits\[0\]\.\w+ is/)
    expect(await ledger.store.read({ scopeId: 'run', atMs: 0 })).toBe(null)
  })

  it('is refused where a group names an id twice, is too large, or a path too deep', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run')
    const scope = { id: 'same', name: 'same', kind: 'agent', owner: null, limits: [] } as const
    const group = (scopes: (typeof scope)[]) => ledger.store.open({ parentId: 'run', scopes, atMs: ledger.atMs })
    await expect(group([scope, scope])).rejects.toThrow(/exists already/)
    await expect(group(Array(10_001).fill(scope))).rejects.toThrow(/at most 10000 scopes/)
    let path = 'run'
    const descend = async (): Promise<never> => {
      for (let level = 0; level < 300; level++) {
        path += '/x'
        await ledger.open(path)
      }
      throw new Error('no bound')
    }
    await expect(descend()).rejects.toThrow(/at most 256 ancestors/)
  })

  it('never refuses a settlement: a report that is none is charged at the worst case', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run')
    await ledger.reserve('run', { tokens: 60 }, { reservationId: 'one' })
    const settled = await ledger.store.settle({ reservationId: 'one', atMs: ledger.atMs })
    expect(settled).toMatchObject({ kind: 'settled', charged: { tokens: 60 }, anomalies: [] })
    await ledger.reserve('run', { tokens: 60 }, { reservationId: 'two' })
    const actual = 'lots' as unknown as null
    const odd = await ledger.store.settle({ reservationId: 'two', actual, atMs: ledger.atMs })
    expect(odd).toMatchObject({ charged: { tokens: 60 }, anomalies: [{ meter: 'all', value: 'lots' }] })
    await ledger.reserve('run', { tokens: 60 }, { reservationId: 'three' })
    const list = await ledger.store.settle({
      reservationId: 'three',
      actual: [1] as unknown as null,
      atMs: ledger.atMs,
    })
    expect(list).toMatchObject({ charged: { tokens: 60 }, anomalies: [{ meter: 'all' }] })
  })

  it('reads at any time without changing what was counted', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('cost', 10, { per: 'hour' })])
    await ledger.spend('run', { cost: 10 })
    for (let hour = 0; hour < 500; hour++) {
      await ledger.store.read({ scopeId: 'run', atMs: ledger.atMs + hour * 3_600_000 })
    }
    expect((await ledger.reserve('run', { cost: 1 })).kind).toBe('breached')
  })
})
