import { describe, expect, it } from 'vitest'
import { formatAmount } from './format-amount.ts'

describe('formatAmount', () => {
  it('shows money in cents, with more decimals only if needed', () => {
    expect(formatAmount('cost', 1_000_000_000)).toBe('$1.00')
    expect(formatAmount('cost', 180_000_000)).toBe('$0.18')
    expect(formatAmount('planningCost', 1_500)).toBe('$0.0000015')
    expect(formatAmount('cost', 999_999_999_999_999)).toBe('$999999.999999999')
    expect(formatAmount('cost', 0)).toBe('$0.00')
  })

  it('shows durations in the units that people write', () => {
    expect(formatAmount('time', 600_000)).toBe('10m')
    expect(formatAmount('wallTime', 5_400_000)).toBe('1h30m')
    expect(formatAmount('idleTime', 86_400_001)).toBe('1d1ms')
    expect(formatAmount('time', 0)).toBe('0ms')
  })

  it('shows counts and tokens as they are', () => {
    expect(formatAmount('tokens', 200_000)).toBe('200000')
    expect(formatAmount('toolCalls', 0)).toBe('0')
  })
})
