import { durationText } from './amount-text.ts'

const HOUR = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const DAY_MS = 86_400_000

/** An hour of a chart: `14:00`, and `18 Nov` at midnight. */
export function hourText(atMs: number): string {
  return new Date(atMs).getHours() === 0 ? DAY.format(atMs) : HOUR.format(atMs)
}

/** A day of a chart: `18 Nov`. */
export function dayText(atMs: number): string {
  return DAY.format(atMs)
}

/** When something will be, as short as it can be: `14:40`, `18 Nov, 14:40`. */
export function whenText(atMs: number, nowMs: number): string {
  return Math.abs(atMs - nowMs) < DAY_MS ? HOUR.format(atMs) : `${DAY.format(atMs)}, ${HOUR.format(atMs)}`
}

/** How long ago: `just now`, `4m ago`. */
export function agoText(atMs: number, nowMs: number): string {
  const ago = nowMs - atMs
  if (ago < 5000) return 'just now'
  return `${durationText(ago < 60_000 ? ago : Math.floor(ago / 60_000) * 60_000)} ago`
}
