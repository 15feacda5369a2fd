import { displayAmount } from '../../core/index.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * How long ago, or in how long: `5m ago`, `in 2h`. Coarser the further away; future times are rounded to the nearest.
 */
export function whenText(atMs: number, nowMs: number): string {
  const distance = Math.abs(atMs - nowMs)
  if (distance < SECOND_MS) return 'now'
  const unit = distance < MINUTE_MS ? SECOND_MS : distance < DAY_MS ? MINUTE_MS : HOUR_MS
  const isToCome = atMs > nowMs
  const units = isToCome ? Math.round(distance / unit) : Math.floor(distance / unit)
  const text = displayAmount('time', units * unit)
  return isToCome ? `in ${text}` : `${text} ago`
}
