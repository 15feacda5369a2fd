import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addToRate, createRate, mayRaiseAgain, totalOfRate } from './rate.ts'

const STEP_MS = 300_000
const START_MS = Date.UTC(2026, 10, 15, 12)

describe('a rate', () => {
  it('is the sum of the current five-minute step and the eleven before it', () => {
    const amounts = fc.array(fc.tuple(fc.nat(2_000_000), fc.nat(1_000)), { maxLength: 200 })
    fc.assert(
      fc.property(amounts, (added) => {
        const rate = createRate()
        const known: { readonly step: number; readonly amount: number }[] = []
        let atMs = START_MS
        for (const [laterMs, amount] of added) {
          atMs += laterMs
          addToRate(rate, amount, 'hour', atMs)
          const step = Math.floor(atMs / STEP_MS)
          known.push({ step, amount })
          const lately = known.filter((each) => each.step > step - 12)
          expect(totalOfRate(rate)).toBe(lately.reduce((sum, each) => sum + each.amount, 0))
          expect(rate.sums.length).toBeLessThanOrEqual(12)
        }
      }),
    )
  })

  it('is bounded whatever the clock says, and never above the added amount', () => {
    const amounts = fc.array(fc.tuple(fc.maxSafeNat(), fc.nat(1_000)), { maxLength: 50 })
    fc.assert(
      fc.property(amounts, (added) => {
        const rate = createRate()
        let sum = 0
        for (const [atMs, amount] of added) {
          addToRate(rate, amount, 'day', atMs)
          sum += amount
          expect(totalOfRate(rate)).toBeLessThanOrEqual(sum)
          expect(totalOfRate(rate)).toBeGreaterThanOrEqual(amount)
          expect(rate.sums.length).toBeLessThanOrEqual(12)
        }
      }),
    )
  })

  it('saturates instead of becoming inexact', () => {
    const rate = createRate()
    for (let time = 0; time < 3; time++) addToRate(rate, Number.MAX_SAFE_INTEGER, 'hour', START_MS + time * STEP_MS)
    expect(totalOfRate(rate)).toBe(Number.MAX_SAFE_INTEGER)
  })
})

describe('mayRaiseAgain', () => {
  it('waits for a whole period, whether the clock went forward or back', () => {
    const isAllowed = (ms: number) => mayRaiseAgain(START_MS, 'hour', START_MS + ms)
    expect([
      isAllowed(0),
      isAllowed(3_599_999),
      isAllowed(3_600_000),
      isAllowed(-3_599_999),
      isAllowed(-3_600_000),
    ]).toEqual([false, false, true, false, true])
    expect(mayRaiseAgain(undefined, 'day', START_MS)).toBe(true)
  })
})
