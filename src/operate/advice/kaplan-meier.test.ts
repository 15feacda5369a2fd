import { describe, expect, it } from 'vitest'
import { needCurve, type Observation, quantileOf, shareAbove } from './kaplan-meier.ts'

const done = (...values: number[]): Observation[] => values.map((value) => ({ value, isCut: false }))
const cut = (...values: number[]): Observation[] => values.map((value) => ({ value, isCut: true }))
const rounded = (observations: readonly Observation[]) =>
  needCurve(observations).steps.map(({ value, above }) => [value, Math.round(above * 1e4) / 1e4])

describe('the Kaplan–Meier curve', () => {
  it('is the plain share when nothing was cut', () => {
    expect(rounded(done(4, 1, 3, 2))).toEqual([
      [1, 0.75],
      [2, 0.5],
      [3, 0.25],
      [4, 0],
    ])
  })

  it('by hand: of 1, 2+, 3, 3, 5+, 7 (+ is cut)', () => {
    // 5/6; then 4 get to 3 and 2 end there: 5/6 × 2/4; then 1 gets to 7: 0.
    expect(rounded([...done(1, 3, 3, 7), ...cut(2, 5)])).toEqual([
      [1, 0.8333],
      [3, 0.4167],
      [7, 0],
    ])
  })

  it('counts a run that was cut at the end of another as one that got that far', () => {
    // 3 get to 2, 1 ends there.
    expect(rounded([...cut(2), ...done(2, 4)])).toEqual([
      [2, 0.6667],
      [4, 0],
    ])
  })

  it('matches the published table of leukemia remission under 6-MP', () => {
    const table = [
      [6, 0.8571],
      [7, 0.8067],
      [10, 0.7529],
      [13, 0.6902],
      [16, 0.6275],
      [22, 0.5378],
      [23, 0.4482],
    ]
    const observations = [...done(6, 6, 6, 7, 10, 13, 16, 22, 23), ...cut(6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35)]
    expect(rounded(observations)).toEqual(table)
    const curve = needCurve(observations)
    expect([quantileOf(curve, 0.5), quantileOf(curve, 0.25), quantileOf(curve, 0.6)]).toEqual([23, 13, null])
    expect([shareAbove(curve, 5), shareAbove(curve, 6.5).toFixed(4), curve.largest]).toEqual([1, '0.8571', 35])
  })

  it('never falls when everything was cut, and is empty without runs', () => {
    expect(needCurve(cut(5, 5, 9))).toEqual({ steps: [], largest: 9 })
    expect(quantileOf(needCurve(cut(5)), 0.5)).toBe(null)
    expect(needCurve([])).toEqual({ steps: [], largest: 0 })
  })

  it('reaches a quantile exactly, whatever fractions are multiplied', () => {
    const twenty = done(...Array.from({ length: 20 }, (_, index) => index + 1))
    expect(quantileOf(needCurve(twenty), 0.95)).toBe(19)
    expect(shareAbove(needCurve(twenty), 20)).toBe(0)
  })
})
