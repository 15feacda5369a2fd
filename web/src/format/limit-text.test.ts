import { describe, expect, it } from 'vitest'
import { readAmount, writtenAmount } from './limit-text.ts'

describe('an amount in a field', () => {
  it.each([
    [1_500_000_000, 'nanoUsd', '1.5'],
    [20_000_000_000, 'nanoUsd', '20'],
    [1, 'nanoUsd', '0.000000001'],
    [200_000, 'tokens', '200000'],
    [600_000, 'milliseconds', '10m'],
    [5_400_000, 'milliseconds', '90m'],
    [1500, 'milliseconds', '1500ms'],
  ] as const)('of %d %s is written %s, and read as the same', (amount, unit, text) => {
    expect(writtenAmount(amount, unit)).toBe(text)
    expect(readAmount(text, unit)).toBe(amount)
  })

  it.each([
    ['$1.50', 'nanoUsd', 1_500_000_000],
    ['200k', 'tokens', 200_000],
    ['1.5M', 'tokens', 1_500_000],
    [' 90 s ', 'milliseconds', 90_000],
  ] as const)('may be written %s', (text, unit, amount) => {
    expect(readAmount(text, unit)).toBe(amount)
  })

  it.each([
    ['', 'count'],
    ['0', 'count'],
    ['-3', 'count'],
    ['ten', 'count'],
    ['10', 'milliseconds'],
    ['10m', 'nanoUsd'],
    ['1e9', 'tokens'],
    ['99999999999999999', 'count'],
  ] as const)('is refused: "%s" %s', (text, unit) => {
    expect(readAmount(text, unit)).toBeNull()
  })
})
