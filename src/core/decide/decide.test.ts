import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { vectorFromAmounts } from '../amounts/amount-vector.ts'
import type { Amounts } from '../amounts/amounts.ts'
import { limitFixture } from '../limits/limit.fixture.ts'
import { balanceOf, type LimitBalance, type ScopeBalance } from './balance.ts'
import { type Ask, decide, withUnits } from './decide.ts'
import type { ElasticAsk } from './elastic.ts'

const scope = (id: string, ...limits: LimitBalance[]): ScopeBalance => ({ id, path: id, limits })
const ask = (amounts: Amounts, more: Partial<Ask> = {}): Ask => ({ fixed: vectorFromAmounts(amounts, 'test'), ...more })

describe('decide', () => {
  it('fits up to the limit and not beyond', () => {
    const path = [scope('run', balanceOf(limitFixture('toolCalls', 5), { settled: 3, reserved: 1 }))]
    expect(decide(path, ask({ toolCalls: 1 }))).toEqual({ kind: 'fits', units: 0 })
    expect(decide(path, ask({ toolCalls: 2 }))).toMatchObject({
      kind: 'breached',
      mayFitLater: false,
      breaches: [{ scope: 'run', meter: 'toolCalls', limit: 5, settled: 3, reserved: 1, asked: 2, remaining: 1 }],
    })
  })

  it('requires again what an overrun took from the conversation’s own hold', () => {
    const tokens = balanceOf(limitFixture('tokens', 6), { settled: 3, reserved: 3, held: 4, scopeId: 'run' })
    const amounts = vectorFromAmounts({ tokens: 1 }, 'test')
    const own = [{ scopeId: 'run', key: tokens.key, amount: 4 }]
    const closing = { likely: amounts, wanted: amounts, smallest: amounts, growth: [], isFirst: false, own }
    expect(decide([scope('run', tokens)], ask({ tokens: 1 }, { closing }))).toMatchObject({
      kind: 'breached',
      breaches: [{ asked: 2, remaining: 0 }],
    })
  })

  it('A5: lists all breaches of one check, root first and by meter', () => {
    const path = [
      scope('team', balanceOf(limitFixture('cost', 10), { settled: 10 })),
      scope('user'),
      scope(
        'run',
        balanceOf(limitFixture('toolCalls', 1), { settled: 1 }),
        balanceOf(limitFixture('tokens', 100), { settled: 50 }),
        balanceOf(limitFixture('cost', 5), { settled: 5 }),
      ),
    ]
    const decision = decide(path, ask({ cost: 1, tokens: 10, toolCalls: 1 }))
    expect(decision.kind === 'fits' ? [] : decision.breaches.map((each) => `${each.scope} ${each.meter}`)).toEqual([
      'team cost',
      'run toolCalls',
      'run cost',
    ])
  })

  it('ignores limits that only warn, however far they are exceeded', () => {
    const warned = balanceOf(limitFixture('tokens', 10, { action: 'warn' }), { settled: 1_000 })
    expect(decide([scope('run', warned)], ask({ tokens: 5_000 }))).toEqual({ kind: 'fits', units: 0 })
  })

  it('ignores a limit on a meter that was not requested, even if it is overdrawn', () => {
    const overdrawn = balanceOf(limitFixture('tokens', 10), { settled: 11 })
    expect(decide([scope('run', overdrawn)], ask({ toolCalls: 1 })).kind).toBe('fits')
    expect(decide([scope('run', overdrawn)], ask({ tokens: 1 })).kind).toBe('breached')
  })

  it('may wait for tokens and cost in flight, which may settle at nothing, but never for counts', () => {
    const inFlight = { reserved: 8 }
    const later = (meter: 'tokens' | 'cost' | 'toolCalls' | 'modelCalls'): boolean => {
      const decision = decide([scope('run', balanceOf(limitFixture(meter, 10), inFlight))], ask({ [meter]: 5 }))
      return decision.kind === 'breached' && decision.mayFitLater
    }
    expect([later('tokens'), later('cost'), later('toolCalls'), later('modelCalls')]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('never waits for a hold', () => {
    const held = balanceOf(limitFixture('tokens', 10), { held: 8 })
    expect(decide([scope('run', held)], ask({ tokens: 5 }))).toMatchObject({ kind: 'breached', mayFitLater: false })
  })

  it('if waiting cannot help with some breaches, names only those', () => {
    const path = [
      scope('busy', balanceOf(limitFixture('tokens', 10), { reserved: 10 })),
      scope('spent', balanceOf(limitFixture('tokens', 10), { settled: 10 })),
    ]
    const decision = decide(path, ask({ tokens: 1 }))
    expect(decision).toMatchObject({ kind: 'breached', mayFitLater: false, breaches: [{ scope: 'spent' }] })
  })

  it('A10: compares the conversation only with the nearest messages limit, and refuses at it', () => {
    const path = [
      scope('outer', balanceOf(limitFixture('messages', 5))),
      scope('inner', balanceOf(limitFixture('messages', 10))),
      scope('leaf'),
    ]
    expect(decide(path, ask({ modelCalls: 1 }, { messages: 9 })).kind).toBe('fits')
    expect(decide(path, ask({ modelCalls: 1 }, { messages: 10 }))).toMatchObject({
      kind: 'breached',
      mayFitLater: false,
      breaches: [{ scope: 'inner', meter: 'messages', limit: 10, settled: 10 }],
    })
  })

  it('A10: a limit that only warns does not hide a ceiling next to it', () => {
    const warning = balanceOf(limitFixture('messages', 10, { action: 'warn' }))
    const path = [scope('run', warning, balanceOf(limitFixture('messages', 50)))]
    expect(decide(path, ask({ modelCalls: 1 }, { messages: 49 })).kind).toBe('fits')
    expect(decide(path, ask({ modelCalls: 1 }, { messages: 50 }))).toMatchObject({ breaches: [{ limit: 50 }] })
  })

  it('A10: lists a full conversation in path order among the other breaches', () => {
    const spent = { settled: 9 }
    const path = [
      scope('team', balanceOf(limitFixture('modelCalls', 9), spent)),
      scope('run', balanceOf(limitFixture('messages', 3))),
      scope('agent', balanceOf(limitFixture('modelCalls', 9), spent)),
    ]
    const decision = decide(path, ask({ modelCalls: 1 }, { messages: 3 }))
    expect(decision.kind === 'fits' ? [] : decision.breaches.map((each) => each.scope)).toEqual([
      'team',
      'run',
      'agent',
    ])
  })
})

describe('decide with an elastic part', () => {
  const elastic: ElasticAsk = {
    least: 256,
    enough: 2_048,
    most: 32_000,
    rates: [
      { meter: 'tokens', numerator: 1, denominator: 1 },
      { meter: 'cost', numerator: 15_000_000, denominator: 1_000 },
    ],
  }
  const tokens = (max: number, standing = {}): ScopeBalance[] => [
    scope('run', balanceOf(limitFixture('tokens', max), standing)),
  ]
  const call = (more: Partial<Ask> = {}): Ask => ask({ modelCalls: 1, tokens: 1_000 }, { elastic, ...more })

  it('grants everything if the path can pay for it', () => {
    expect(decide(tokens(40_000), call())).toEqual({ kind: 'fits', units: 32_000 })
  })

  it('D2: cuts to what is left', () => {
    expect(decide(tokens(10_000, { settled: 4_000 }), call())).toEqual({ kind: 'fits', units: 5_000 })
  })

  it('breaches only below the least', () => {
    expect(decide(tokens(1_256), call())).toEqual({ kind: 'fits', units: 256 })
    expect(decide(tokens(1_255), call())).toMatchObject({
      kind: 'breached',
      mayFitLater: false,
      breaches: [{ asked: 1_256 }],
    })
  })

  it('D10: waits instead of cutting below "enough" if calls in flight may make room', () => {
    const path = tokens(10_000, { settled: 5_000, reserved: 3_000 })
    expect(decide(path, call({ patient: true }))).toMatchObject({ kind: 'breached', mayFitLater: true })
    expect(decide(path, call())).toEqual({ kind: 'fits', units: 1_000 })
    expect(decide(tokens(10_000, { settled: 8_000 }), call({ patient: true }))).toEqual({ kind: 'fits', units: 1_000 })
  })

  it('D10: serves a request for one output token', () => {
    const one = { ...elastic, least: 1, enough: 1, most: 1 }
    expect(decide(tokens(1_001), call({ elastic: one, patient: true }))).toEqual({ kind: 'fits', units: 1 })
  })

  it('grants exactly as many units as the path can pay for', () => {
    const amount = fc.integer({ min: 0, max: 3_000_000_000 })
    fc.assert(
      fc.property(amount, amount, amount, amount, (tokenMax, tokensSpent, costMax, costReserved) => {
        const path = [
          scope('outer', balanceOf(limitFixture('cost', costMax + 1), { reserved: costReserved })),
          ...tokens(tokenMax + 1, { settled: tokensSpent }),
        ]
        const decision = decide(path, call())
        const fitsWith = (units: number): boolean => {
          const vector = withUnits(call().fixed, elastic, units)
          return decide(path, { fixed: vector }).kind === 'fits'
        }
        if (decision.kind === 'fits') {
          expect(fitsWith(decision.units)).toBe(true)
          if (decision.units < elastic.most) expect(fitsWith(decision.units + 1)).toBe(false)
        } else expect(fitsWith(elastic.least)).toBe(false)
      }),
      { numRuns: 3_000 },
    )
  })
})
