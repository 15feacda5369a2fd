import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMaximum } from '../core/amounts/format-maximum.ts'
import { METERS, type Meter } from '../core/meter.ts'
import { findNamedLimit } from './limits/limit-names.ts'
import { readAmount } from './limits/read-amount.ts'

describe('formatMaximum', () => {
  it.each<[Meter, number, string]>([
    ['cost', 180_000_000, '$0.18'],
    ['cost', 1_000_000_000, '$1.00'],
    ['cost', 1000, '$0.000001'],
    ['cost', 0, '$0.00'],
    ['time', 600_000, '10m'],
    ['time', 5_400_000, '1h30m'],
    ['time', 1500, '1s500ms'],
    ['time', 150, '150ms'],
    ['tokens', 200_000, '200k'],
    ['tokens', 1_500_000, '1.5m'],
    ['tokens', 1_234_567, '1234567'],
    ['messages', 24, '24'],
  ])('shows %s %d as %s', (meter, amount, text) => {
    expect(formatMaximum(meter, amount)).toBe(text)
  })

  it('shows only texts that parse back to the same amount', () => {
    const largest = {
      count: 999_999_999,
      tokens: 999_999_999_999,
      nanoUsd: 999_999_999_999_999,
      milliseconds: 86_399_999_999,
    }
    const meters = Object.keys(METERS) as Meter[]
    fc.assert(
      fc.property(
        fc.constantFrom(...meters),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(12),
        (meter, share, zeros) => {
          const top = largest[METERS[meter].unit]
          const rough = Math.max(1, Math.floor(share * top))
          const amount = Math.max(1, Math.floor(rough / 10 ** zeros) * 10 ** zeros)
          expect(readAmount(findNamedLimit(meter)!, formatMaximum(meter, amount))).toEqual({ ok: true, value: amount })
        },
      ),
      { numRuns: 2000 },
    )
  })
})
