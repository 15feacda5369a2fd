import { describe, expect, it } from 'vitest'
import { amountText, durationText, moneyText, shortCount } from './amount-text.ts'

describe('an amount', () => {
  it.each([
    [25, 'count', '25'],
    [12_345, 'count', '12,345'],
    [412_300, 'tokens', '412k'],
    [270_000_000, 'nanoUsd', '$0.27'],
    [372_000, 'milliseconds', '6m 12s'],
  ] as const)('of %d %s reads %s', (amount, unit, text) => {
    expect(amountText(amount, unit)).toBe(text)
  })
})

describe('money', () => {
  it.each([
    [0, '$0.00'],
    [1_000_000_000, '$1.00'],
    [468_750_000, '$0.469'],
    [4_200_000, '$0.0042'],
    [1, '$0.000000001'],
    [1_234_567_000_000, '$1,234.57'],
    [45_000_000_000_000, '$45k'],
    [-500_000_000, '−$0.50'],
  ])('of %d nano-USD reads %s', (amount, text) => {
    expect(moneyText(amount)).toBe(text)
  })
})

describe('a count', () => {
  it.each([
    [940, '940'],
    [999.7, '1k'],
    [8240, '8.2k'],
    [999_900, '1M'],
    [1_700_000, '1.7M'],
    [3_000_000_000, '3B'],
  ])('of %d reads %s', (count, text) => {
    expect(shortCount(count)).toBe(text)
  })
})

describe('a duration', () => {
  it.each([
    [480, '480 ms'],
    [6200, '6.2s'],
    [9960, '10s'],
    [59_700, '1m'],
    [3_600_000, '1h'],
    [11_100_000, '3h 5m'],
    [187_200_000, '2d 4h'],
  ])('of %d ms reads %s', (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text)
  })
})
