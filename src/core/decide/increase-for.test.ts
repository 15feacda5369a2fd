import { describe, expect, it } from 'vitest'
import { displayAmount } from '../amounts/display-amount.ts'
import { formatMaximum } from '../amounts/format-maximum.ts'
import { describeBreach } from '../limits/breach.ts'
import type { Meter } from '../meter.ts'
import { increaseFor } from './increase-for.ts'

const USD = 1_000_000_000

function increase(meter: Meter, max: number, standing: { settled?: number; held?: number; asked?: number }): number {
  const limit = {
    meter,
    max,
    per: null,
    timeZone: 'UTC',
    action: 'ask',
    nearing: [],
    source: { layer: 'call', written: meter },
  } as const
  const all = { settled: max, reserved: 0, held: 0, asked: 1, remaining: 0, resetsAt: null, ...standing }
  return increaseFor(describeBreach({ id: 'run', path: 'run' }, limit, all))
}

describe('the amount of an increase request', () => {
  it.each([
    ['toolCalls', 100, {}, 20],
    ['toolCalls', 101, {}, 21],
    ['tokens', 500_000, {}, 100_000],
    ['cost', 1 * USD, {}, 0.2 * USD],
    ['cost', 0.33 * USD, {}, 0.066 * USD],
    ['time', 600_000, { asked: 0 }, 120_000],
    ['time', 10_000, { asked: 0 }, 2_000],
  ] as const)('is a fifth of the limit: %s of %s', (meter, max, standing, asked) => {
    expect(increase(meter, max, standing)).toBe(asked)
  })

  it.each(['toolCalls', 'modelCalls', 'messages'] as const)('is a few %s if a fifth would be one or none', (meter) => {
    expect([0, 1, 3, 25].map((max) => increase(meter, max, {}))).toEqual([5, 5, 5, 5])
    expect(increase(meter, 26, {})).toBe(6)
  })

  it('covers the refused call, the hold for the closing call and any overrun', () => {
    expect(increase('tokens', 1_000, { settled: 700, held: 200, asked: 2_100 })).toBe(2_000)
    expect(increase('messages', 10, { settled: 24 })).toBe(15)
    expect(increase('cost', 1 * USD, { settled: 1.5 * USD, asked: 0.25 * USD })).toBe(0.75 * USD)
  })

  it('is a figure that is displayed exactly', () => {
    expect(increase('cost', 1 * USD, { asked: 0.333333333 * USD })).toBe(0.34 * USD)
    expect(increase('cost', 0.05 * USD, { asked: 0.0333333 * USD })).toBe(0.034 * USD)
    expect(increase('cost', 0.05 * USD, { asked: 0.0999 * USD })).toBe(0.1 * USD)
    expect(increase('tokens', 100_000, { asked: 53_571 })).toBe(53_600)
    expect(increase('time', 7_777, { asked: 0 })).toBe(2_000)
    expect(increase('time', 3_000, { asked: 0 })).toBe(600)
    for (const asked of [1, 999, 12_345_678, 99_999_999, 1_234_567_891]) {
      const amount = increase('cost', 1, { asked })
      expect(displayAmount('cost', amount)).toBe(formatMaximum('cost', amount))
    }
  })

  it('is never more than the largest amount', () => {
    expect(increase('tokens', Number.MAX_SAFE_INTEGER, { asked: Number.MAX_SAFE_INTEGER })).toBe(
      Number.MAX_SAFE_INTEGER,
    )
  })
})
