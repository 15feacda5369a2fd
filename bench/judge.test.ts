import { expect, it } from 'vitest'
import { verdictOf } from './judge.ts'

const sentence = (figure: string) => `it takes ${figure} the CPU of its peer`

it.each([
  [{ value: 4.5, atMost: 4.5 }, true],
  [{ value: 4.51, atMost: 4.5 }, false],
  [{ value: 0.6, atLeast: 0.6 }, true],
  [{ value: 0.59, atLeast: 0.6 }, false],
  [{ value: Number.NaN, atMost: 4.5 }, false],
  [{ value: Number.NaN, atLeast: 0.6 }, false],
])('judges %j: %s', (figure, isKept) => {
  expect(verdictOf({ sentence, ...figure }).isKept).toBe(isKept)
})

it('says the figure and its bound in one unit', () => {
  expect(verdictOf({ sentence, value: 5, atMost: 4.5 }).text).toBe(
    'NOT REACHED: it takes 5.00× the CPU of its peer (at most 4.5×)',
  )
  expect(verdictOf({ sentence: (figure) => `${figure} later`, value: 0.4, unit: ' ms', atMost: 1 }).text).toBe(
    'reached: 0.40 ms later (at most 1 ms)',
  )
})
