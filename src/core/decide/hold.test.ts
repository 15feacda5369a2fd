import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limitFixture } from '../limits/limit.fixture.ts'
import { balanceOf } from './balance.ts'
import { closingSpanMs } from './closing-span.ts'
import { holdWithin } from './hold.ts'

describe('holds', () => {
  it('together take at most half of a limit on a count, first come, first served', () => {
    const limit = limitFixture('modelCalls', 1_000)
    expect(holdWithin(balanceOf(limit), 0, 400, 0)).toBe(400)
    expect(holdWithin(balanceOf(limit, { held: 400 }), 0, 400, 0)).toBe(100)
    expect(holdWithin(balanceOf(limit, { held: 500 }), 0, 400, 0)).toBe(0)
  })

  it('grow past half of a limit on tokens or cost, into what others have left', () => {
    const limit = limitFixture('tokens', 1_000)
    expect(holdWithin(balanceOf(limit), 0, 700, 0)).toBe(700)
    expect(holdWithin(balanceOf(limit, { held: 500, settled: 200 }), 0, 400, 0)).toBe(300)
  })

  it('are resized as if they held nothing themselves', () => {
    expect(holdWithin(balanceOf(limitFixture('modelCalls', 1_000), { held: 500 }), 300, 350, 0)).toBe(300)
    expect(holdWithin(balanceOf(limitFixture('tokens', 1_000), { held: 900 }), 300, 500, 0)).toBe(400)
    expect(holdWithin(balanceOf(limitFixture('tokens', 1_000), { held: 500 }), 300, 200, 0)).toBe(200)
  })

  it('never take room that is spent or reserved', () => {
    expect(holdWithin(balanceOf(limitFixture('tokens', 1_000), { settled: 700, reserved: 200 }), 0, 400, 0)).toBe(100)
    expect(holdWithin(balanceOf(limitFixture('tokens', 1_000), { settled: 1_200 }), 0, 400, 0)).toBe(0)
  })

  it('E13: are 0 if half a count cannot pay for the smallest closing call', () => {
    expect(holdWithin(balanceOf(limitFixture('modelCalls', 1)), 0, 1, 1)).toBe(0)
    expect(holdWithin(balanceOf(limitFixture('modelCalls', 2)), 0, 1, 1)).toBe(1)
  })

  it('exist only on limits that can end in a closing call', () => {
    const held = (action: 'terminate' | 'ask' | 'pause' | 'warn'): number =>
      holdWithin(balanceOf(limitFixture('tokens', 1_000, { action })), 0, 100, 0)
    expect([held('terminate'), held('ask'), held('pause'), held('warn')]).toEqual([100, 100, 0, 0])
  })

  it('never take a limit past its maximum, nor a count past half of it', () => {
    const amount = fc.integer({ min: 0, max: 2_000 })
    const meter = fc.constantFrom('tokens' as const, 'modelCalls' as const)
    fc.assert(
      fc.property(meter, fc.tuple(amount, amount, amount, amount, amount, amount), (name, amounts) => {
        const [max, settled, reserved, others, own, wanted] = amounts
        const balance = balanceOf(limitFixture(name, max), { settled, reserved, held: others + own })
        const held = holdWithin(balance, own, wanted, 0)
        expect(held).toBeGreaterThanOrEqual(0)
        if (held > 0) {
          if (name === 'modelCalls') expect(held + others).toBeLessThanOrEqual(max / 2)
          expect(settled + reserved + others + held).toBeLessThanOrEqual(max)
        }
      }),
    )
  })

  it('on a clock are a tenth of it: at most 15 seconds, and 0 if under 3 seconds', () => {
    expect([closingSpanMs(600_000), closingSpanMs(90_000), closingSpanMs(30_000)]).toEqual([15_000, 9_000, 3_000])
    expect([closingSpanMs(29_999), closingSpanMs(1_500)]).toEqual([0, 0])
  })
})
