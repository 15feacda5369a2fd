import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Meter } from '../meter.ts'
import { displayAmount, type Rounding } from './display-amount.ts'

describe('an amount for people', () => {
  it.each([
    ['cost', 829_811_250, '$0.83'],
    ['cost', 99_695_119_750, '$99.70'],
    ['cost', 838_750, '$0.00084'],
    ['cost', 50_000_000, '$0.05'],
    ['cost', 0, '$0.00'],
    ['cost', 7, '$0.000000007'],
    ['cost', 999_999_999, '$1.00'],
    ['tokens', 1_842, '1,842'],
    ['tokens', 53_631, '53.6k'],
    ['tokens', 412_400, '412k'],
    ['tokens', 999_999, '1m'],
    ['tokens', 1_254_000, '1.25m'],
    ['toolCalls', 25, '25'],
    ['toolCalls', 12_345, '12,345'],
    ['time', 457, '457ms'],
    ['time', 589_224, '9m 49s'],
    ['time', 59_600, '1m'],
    ['time', 5_400_000, '1h 30m'],
    ['time', 2_588_400_000, '29d 23h'],
    ['time', 600_000, '10m'],
  ] as const)('%s %i is %s', (meter, amount, text) => {
    expect(displayAmount(meter, amount)).toBe(text)
  })

  it.each([
    ['cost', 829_811_250, '$0.83', '$0.82'],
    ['cost', 4_302_000, '$0.0044', '$0.0043'],
    ['tokens', 53_631, '53.7k', '53.6k'],
    ['time', 1_001, '2s', '1s'],
  ] as const)('%s %i is at most %s and at least %s', (meter, amount, up, down) => {
    expect(displayAmount(meter, amount, 'up')).toBe(up)
    expect(displayAmount(meter, amount, 'down')).toBe(down)
  })

  it('is short, whatever the amount', () => {
    const meters: readonly Meter[] = ['cost', 'tokens', 'time', 'toolCalls']
    const roundings: readonly Rounding[] = ['nearest', 'up', 'down']
    fc.assert(
      fc.property(
        fc.constantFrom(...meters),
        fc.integer({ min: 0, max: 1_000_000_000_000 }),
        fc.constantFrom(...roundings),
        (meter, amount, rounding) => {
          expect(displayAmount(meter, amount, rounding)).toMatch(/^\$?[\d.,]{1,17}(?:ms|[dhmskb])?(?: \d{1,2}[hms])?$/)
        },
      ),
      { seed: 1 },
    )
  })
})
