import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COUNTER_METERS } from '../meter.ts'
import { isStintError } from '../stint-error.ts'
import { amountsFromVector, counterIndex, readCounters, vectorFromAmounts, zeroVector } from './amount-vector.ts'
import { type Amounts, addAmount } from './amounts.ts'

describe('amounts as a vector', () => {
  it('have every counter at its index, in the order of the meters', () => {
    const names = Object.fromEntries(COUNTER_METERS.map((meter) => [meter, meter]))
    expect(readCounters(names, null)).toEqual(COUNTER_METERS)
    expect(COUNTER_METERS.map(counterIndex)).toEqual(COUNTER_METERS.map((_, index) => index))
    expect(zeroVector()).toEqual(COUNTER_METERS.map(() => 0))
    expect(counterIndex('time')).toBe(-1)
  })

  it('survive the round trip', () => {
    const amounts = fc.dictionary(
      fc.constantFrom(...COUNTER_METERS),
      fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    )
    fc.assert(
      fc.property(amounts, (entries) => {
        expect(amountsFromVector(vectorFromAmounts(entries as Amounts, 'test'))).toEqual({ ...entries })
      }),
    )
  })

  it('are refused with place, meter and value if they are not amounts', () => {
    for (const bad of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '5', true, [], {}]) {
      const read = (): unknown => vectorFromAmounts({ tokens: bad as number }, 'reserve')
      expect(read).toThrow(/^reserve: tokens is .*a whole number from 0/)
    }
  })

  it('are refused if the meter is unknown or not a counter, and inherited keys are ignored', () => {
    for (const meter of ['toolcalls', 'time', 'depth', 'constructor']) {
      let error: unknown
      try {
        vectorFromAmounts({ [meter]: 1 } as Amounts, 'reserve')
      } catch (caught) {
        error = caught
      }
      expect(isStintError(error, 'invalid_amount')).toBe(true)
      expect(String(error)).toContain(`"${meter}" is not a counter`)
    }
  })

  it('add up to 2^53 - 1 and stay there', () => {
    expect(addAmount(1, 2)).toBe(3)
    expect(addAmount(Number.MAX_SAFE_INTEGER, 1)).toBe(Number.MAX_SAFE_INTEGER)
    expect(addAmount(Number.MAX_SAFE_INTEGER - 1, 1)).toBe(Number.MAX_SAFE_INTEGER)
  })
})
