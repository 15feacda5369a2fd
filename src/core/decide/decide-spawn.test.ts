import { describe, expect, it } from 'vitest'
import { vectorFromAmounts } from '../amounts/amount-vector.ts'
import type { Action } from '../limits/action.ts'
import { limitFixture } from '../limits/limit.fixture.ts'
import { balanceOf, type LimitBalance } from './balance.ts'
import { decideSpawn, type SpawnAsk, type SpawnBalance } from './decide-spawn.ts'

const NO_NEEDS = vectorFromAmounts({}, 'test')

function parent(level: number, limits: LimitBalance[], more: Partial<SpawnBalance> = {}): SpawnBalance {
  return { id: `level ${level}`, path: `level ${level}`, level, limits, openChildren: 0, holds: [], ...more }
}

function spawn(more: Partial<SpawnAsk> = {}): SpawnAsk {
  return { count: 1, level: 1, needs: NO_NEEDS, ...more }
}

describe('spawn admission', () => {
  it('B11: refuses below the tightest depth, with depth and maximum in the text', () => {
    const path = [parent(0, [balanceOf(limitFixture('depth', 2))]), parent(1, []), parent(2, [])]
    expect(decideSpawn(path.slice(0, 2), spawn({ level: 2 })).kind).toBe('fits')
    const decision = decideSpawn(path, spawn({ level: 3 }))
    expect(decision).toMatchObject({
      kind: 'breached',
      mayFitLater: false,
      breaches: [{ meter: 'depth', limit: 2, settled: 2 }],
    })
    expect(decision.kind === 'fits' ? '' : decision.breaches[0].message).toContain(
      'is used up: 2 of 2 used, 1 more requested',
    )
  })

  it('B11: an inner limit tightens and never loosens an inherited one', () => {
    const under = (outer: number, inner: number, level: number): boolean =>
      decideSpawn(
        [parent(0, [balanceOf(limitFixture('depth', outer))]), parent(1, [balanceOf(limitFixture('depth', inner))])],
        spawn({ level }),
      ).kind === 'fits'
    expect([under(3, 1, 2), under(3, 1, 3)]).toEqual([true, false])
    expect([under(2, 5, 2), under(2, 5, 3)]).toEqual([true, false])
  })

  it('B11: a depth of 0 disables delegation', () => {
    expect(decideSpawn([parent(0, [balanceOf(limitFixture('depth', 0))])], spawn()).kind).toBe('breached')
  })

  it('counts the depth of a plan from the first agent below it', () => {
    const plan = parent(-1, [balanceOf(limitFixture('depth', 1))])
    expect(decideSpawn([plan], spawn({ level: 0 })).kind).toBe('fits')
    expect(decideSpawn([plan, parent(0, [])], spawn({ level: 1 })).kind).toBe('fits')
    expect(decideSpawn([plan, parent(0, []), parent(1, [])], spawn({ level: 2 })).kind).toBe('breached')
  })

  it('B7: admits a group of spawns whole or not at all', () => {
    const path = [parent(0, [balanceOf(limitFixture('spawns', 3), { settled: 2 })])]
    expect(decideSpawn(path, spawn({ count: 1 })).kind).toBe('fits')
    expect(decideSpawn(path, spawn({ count: 2 }))).toMatchObject({
      kind: 'breached',
      mayFitLater: false,
      breaches: [{ asked: 2 }],
    })
  })

  it('queues for a place below the direct parent, but not for more places than the limit allows', () => {
    const concurrency = balanceOf(limitFixture('concurrency', 2))
    const full = parent(0, [concurrency], { openChildren: 2 })
    expect(decideSpawn([full], spawn())).toMatchObject({
      kind: 'breached',
      mayFitLater: true,
      breaches: [{ settled: 2 }],
    })
    expect(decideSpawn([full], spawn({ count: 3 }))).toMatchObject({ kind: 'breached', mayFitLater: false })
    expect(decideSpawn([full, parent(1, [])], spawn({ level: 2 })).kind).toBe('fits')
  })

  it('B3: without needs, something must be left on every limited counter of the path', () => {
    const spent = parent(0, [balanceOf(limitFixture('tokens', 100), { settled: 100 })])
    const decision = decideSpawn([spent, parent(1, [])], spawn({ needs: null, level: 2 }))
    expect(decision).toMatchObject({
      kind: 'breached',
      mayFitLater: false,
      breaches: [{ settled: 100, limit: 100, remaining: 0 }],
    })
    expect(
      decideSpawn([parent(0, [balanceOf(limitFixture('tokens', 100), { settled: 99 })])], spawn({ needs: null }))
        .kind === 'fits',
    ).toBe(true)
  })

  it('requires nothing on a phase cost, nor on a limit of 0', () => {
    const limits = [
      balanceOf(limitFixture('toolCalls', 0)),
      balanceOf(limitFixture('planningCost', 50), { settled: 50 }),
      balanceOf(limitFixture('executionCost', 50), { settled: 50 }),
    ]
    expect(decideSpawn([parent(0, limits)], spawn({ needs: null })).kind).toBe('fits')
  })

  it('B12: with needs, every child of a group must find them', () => {
    const needs = vectorFromAmounts({ tokens: 30 }, 'test')
    const pool = parent(0, [balanceOf(limitFixture('tokens', 100), { settled: 20 })])
    expect(decideSpawn([pool], spawn({ count: 2, needs })).kind).toBe('fits')
    expect(decideSpawn([pool], spawn({ count: 3, needs }))).toMatchObject({
      kind: 'breached',
      breaches: [{ asked: 90, remaining: 80 }],
    })
  })

  it('queues for calls in flight and siblings’ holds, but not for its own ancestors’ holds', () => {
    const needs = vectorFromAmounts({ tokens: 50 }, 'test')
    const later = (standing: { reserved?: number; held?: number }, ownHold: number): boolean => {
      const balance = balanceOf(limitFixture('tokens', 100), { settled: 10, ...standing })
      const decision = decideSpawn(
        [parent(0, [balance], { holds: [{ scopeId: 'level 0', key: balance.key, amount: ownHold }] })],
        spawn({ needs }),
      )
      return decision.kind === 'breached' && decision.mayFitLater
    }
    expect(later({ reserved: 60 }, 0)).toBe(true)
    expect(later({ held: 45 }, 0)).toBe(true)
    expect(later({ held: 45 }, 45)).toBe(false)
  })

  it('queues while siblings hold so much for their closing calls that its first call would be refused', () => {
    const needs = vectorFromAmounts({ tokens: 20 }, 'test')
    const decide = (held: number, ownHold = 0, promised: number | null = null, action: Action = 'terminate') => {
      const balance = balanceOf(limitFixture('tokens', 100, { action }), { held })
      const holds = ownHold === 0 ? [] : [{ scopeId: 'level 0', key: balance.key, amount: ownHold }]
      const more = promised === null ? {} : { promised: vectorFromAmounts({ tokens: promised }, 'test') }
      const decision = decideSpawn([parent(0, [balance], { holds })], spawn({ needs, ...more }))
      return decision.kind === 'fits' ? 'fits' : decision.mayFitLater ? 'later' : 'never'
    }
    expect([decide(30), decide(31)]).toEqual(['fits', 'later'])
    // Children that have made no call yet may hold twice what they were promised.
    expect([decide(10, 0, 10), decide(10, 0, 11), decide(0, 0, 16)]).toEqual(['fits', 'later', 'later'])
    // Nothing is gained by waiting for holds that stay.
    expect(decide(60, 60)).toBe('fits')
    expect(decide(60, 50)).toBe('later')
    // Its first call would not be refused either.
    expect(decide(60, 0, null, 'pause')).toBe('fits')
  })

  it('waits beside what was promised to others, but only if it would fit alone', () => {
    const decide = (settled: number) => {
      const pool = parent(0, [balanceOf(limitFixture('tokens', 100, { action: 'pause' }), { settled })])
      const [needs, promised] = [{ tokens: 30 }, { tokens: 50 }].map((amounts) => vectorFromAmounts(amounts, 'test'))
      return decideSpawn([pool], spawn({ needs: needs!, promised: promised! }))
    }
    expect(decide(20).kind).toBe('fits')
    expect(decide(21)).toMatchObject({ kind: 'breached', mayFitLater: true, breaches: [{ asked: 30, remaining: 79 }] })
    expect(decide(71)).toMatchObject({ kind: 'breached', mayFitLater: false })
  })

  it('ignores limits that only warn', () => {
    const warned = (meter: 'spawns' | 'depth' | 'concurrency'): LimitBalance =>
      balanceOf(limitFixture(meter, 0, { action: 'warn' }), { settled: 9 })
    const path = [parent(0, [warned('spawns'), warned('depth'), warned('concurrency')], { openChildren: 9 })]
    expect(decideSpawn(path, spawn()).kind).toBe('fits')
  })
})
