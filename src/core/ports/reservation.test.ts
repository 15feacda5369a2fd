import { describe, expect, it } from 'vitest'
import { amountsFromVector, vectorFromAmounts } from '../amounts/amount-vector.ts'
import { chargeFor, type ReportedAmounts, transitionTo } from './reservation.ts'

const reserved = vectorFromAmounts({ modelCalls: 1, tokens: 1_000, cost: 5_000 }, 'test')

function charged(reported: ReportedAmounts | null): object {
  const { charged: vector, anomalies } = chargeFor(reserved, reported)
  return { ...amountsFromVector(vector), anomalies: anomalies.map(({ meter }) => meter) }
}

describe('what a settlement charges', () => {
  it('law 4: the reserved worst case for unknown usage', () => {
    const whole = { modelCalls: 1, tokens: 1_000, cost: 5_000, anomalies: [] }
    expect(charged(null)).toEqual(whole)
    expect(charged({})).toEqual(whole)
    expect(charged({ tokens: undefined, cost: null })).toEqual(whole)
    expect(charged({ tokens: 10 })).toEqual({ ...whole, tokens: 10 })
  })

  it('law 4: the reserved worst case for malformed usage, with an anomaly', () => {
    for (const value of [-1, Number.NaN, '10', 2 ** 53, 1.5, Number.POSITIVE_INFINITY, {}, [], true, 10n]) {
      expect(charged({ tokens: value })).toEqual({ modelCalls: 1, tokens: 1_000, cost: 5_000, anomalies: ['tokens'] })
    }
  })

  it('law 4: everything reserved for an unreadable report, with an anomaly', () => {
    const hostile = Object.defineProperty({ tokens: 10 }, 'cost', {
      get: () => {
        throw new Error('no')
      },
    })
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    for (const report of [hostile, proxy, [], 5, 'lots'] as readonly unknown[]) {
      const whole = { modelCalls: 1, tokens: 1_000, cost: 5_000, anomalies: ['all'] }
      expect(charged(report as ReportedAmounts)).toEqual(whole)
    }
  })

  it('A15: an overrun in full, even on a meter that was not reserved', () => {
    expect(charged({ tokens: 1_001, toolCalls: 2 })).toEqual({
      toolCalls: 2,
      modelCalls: 1,
      tokens: 1_001,
      cost: 5_000,
      anomalies: [],
    })
  })

  it('nothing if nothing was used', () => {
    expect(charged({ modelCalls: 0, tokens: 0, cost: 0 })).toEqual({ anomalies: [] })
  })
})

describe('the life of a reservation', () => {
  const other = vectorFromAmounts({ modelCalls: 1 }, 'test')

  it('law 3: counts once, whatever is sent afterwards; only an assumed charge is corrected', () => {
    expect(transitionTo('open', reserved, other, 'settled')).toBe('first')
    expect(transitionTo('settled', other, other, 'settled')).toBe('duplicate')
    expect(transitionTo('settled', other, reserved, 'settled')).toBe('conflict')
    expect(transitionTo('released', other, reserved, 'settled')).toBe('conflict')
    expect(transitionTo('assumed', reserved, other, 'settled')).toBe('correction')
    expect(transitionTo('assumed', reserved, reserved, 'settled')).toBe('correction')
  })

  it('law 3: a better guess replaces an assumed amount, but never a known one', () => {
    expect(transitionTo('open', reserved, other, 'assumed')).toBe('first')
    expect(transitionTo('assumed', reserved, reserved, 'assumed')).toBe('duplicate')
    expect(transitionTo('assumed', reserved, other, 'assumed')).toBe('correction')
    expect(transitionTo('settled', other, reserved, 'assumed')).toBe('conflict')
    expect(transitionTo('released', other, reserved, 'assumed')).toBe('conflict')
  })
})
