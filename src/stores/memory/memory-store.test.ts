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
    await expect(ledger.reserve('run', { tokens: 61 }, { reservationId: 'one' })).rejects.toThrow(/used before/)
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

  it('opens once, and another scope under the same id is refused', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('team')
    expect([(await ledger.open('team/run')).kind, (await ledger.open('team/run')).kind]).toEqual(['opened', 'opened'])
    expect(await ledger.settled('team', 'spawns')).toBe(1)
    await ledger.open('other')
    const scope = { id: 'team/run', name: 'run', kind: 'agent', owner: null, limits: [] } as const
    const stolen = ledger.store.open({ parentId: 'other', scopes: [scope], atMs: ledger.atMs })
    await expect(stolen).rejects.toThrow(/exists already/)
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

describe('a holder that died', () => {
  it('has its open reservations charged in full, its holds and places freed, and the truth corrects it once', async () => {
    const ledger = createLedgerFixture()
    await ledger.open('run', [limitFixture('tokens', 1_000), limitFixture('concurrency', 1)])
    await ledger.open('run/child', [], { owner: 'dead', hold: { wanted: { tokens: 100 }, smallest: {} } })
    await ledger.reserve('run/child', { tokens: 400 }, { reservationId: 'orphan', holder: 'dead' })
    await ledger.reserve('run', { tokens: 50 }, { reservationId: 'alive' })
    const assumed = await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })
    expect(assumed).toMatchObject([{ reservationId: 'orphan', charged: { tokens: 400 } }])
    expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 400, reserved: 50, held: 0 })
    expect((await ledger.open('run/next')).kind).toBe('opened')
    const settle = (tokens: number) =>
      ledger.store.settle({ reservationId: 'orphan', actual: { tokens }, atMs: ledger.atMs }).then(({ kind }) => kind)
    expect([await settle(120), await settle(120), await settle(400)]).toEqual(['corrected', 'duplicate', 'conflict'])
    expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 120, reserved: 50 })
    expect(await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })).toEqual([])
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
})
