import { expect, it } from 'vitest'
import { tickStepMs } from './time-ticks.ts'

it.each([
  [1, 100],
  [45_000, 15_000],
  [61_000, 30_000],
  [9 * 60_000, 5 * 60_000],
  [49 * 3_600_000, 24 * 3_600_000],
  [40 * 24 * 3_600_000, 10 * 24 * 3_600_000],
])('an axis of %d ms has a tick each %d ms', (lengthMs, stepMs) => {
  expect(tickStepMs(lengthMs)).toBe(stepMs)
})
