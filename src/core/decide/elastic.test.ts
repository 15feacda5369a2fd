import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountAtUnits, type ElasticRate, unitsWithin } from './elastic.ts'

const rate: fc.Arbitrary<ElasticRate> = fc.record({
  meter: fc.constant('cost' as const),
  numerator: fc.integer({ min: 0, max: 10_000_000_000 }),
  denominator: fc.constantFrom(1, 1_000),
})

describe('elastic amounts', () => {
  it('are rounded up exactly, even if a product exceeds the safe integers', () => {
    fc.assert(
      fc.property(rate, fc.integer({ min: 0, max: 10_000_000 }), (each, units) => {
        const exact = BigInt(units) * BigInt(each.numerator)
        const denominator = BigInt(each.denominator)
        const expected = exact / denominator + (exact % denominator === 0n ? 0n : 1n)
        fc.pre(expected <= BigInt(Number.MAX_SAFE_INTEGER))
        expect(BigInt(amountAtUnits(each, units))).toBe(expected)
      }),
      { numRuns: 5_000 },
    )
  })

  it('give the most units that the room pays for', () => {
    const room = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
    fc.assert(
      fc.property(rate, room, fc.integer({ min: 0, max: 1_000_000 }), (each, free, most) => {
        const units = unitsWithin(each, free, most)
        expect(units).toBeLessThanOrEqual(most)
        expect(amountAtUnits(each, units)).toBeLessThanOrEqual(free)
        if (units < most) expect(amountAtUnits(each, units + 1)).toBeGreaterThan(free)
      }),
      { numRuns: 5_000 },
    )
  })

  it('give none without room', () => {
    expect(unitsWithin({ meter: 'tokens', numerator: 1, denominator: 1 }, -1, 10)).toBe(0)
  })

  it('give everything if a unit costs nothing, even on an overdrawn limit', () => {
    expect(unitsWithin({ meter: 'cost', numerator: 0, denominator: 1_000 }, -1, 10)).toBe(10)
  })
})
