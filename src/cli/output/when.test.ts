import { expect, it } from 'vitest'
import { whenText } from './when.ts'

const DAY_MS = 86_400_000
const NOW_MS = 100 * DAY_MS

it.each([
  [30 * DAY_MS - 1_000, 'in 30d'],
  [3_600_000 - 2_000, 'in 1h'],
  [90 * 60_000, 'in 1h 30m'],
  [500, 'now'],
  [-59_900, '59s ago'],
  [-(30 * DAY_MS - 1_000), '29d 23h ago'],
])('%d ms from now is shown as %s, never shorter than requested', (distanceMs, text) => {
  expect(whenText(NOW_MS + distanceMs, NOW_MS)).toBe(text)
})
