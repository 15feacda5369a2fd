const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const STEPS = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 6, 12].map((count) => count * HOUR),
]
const MOST = 4

/** The distance between the ticks of a time axis of this length: a round time, with at most four of them. */
export function tickStepMs(lengthMs: number): number {
  return STEPS.find((step) => lengthMs / step <= MOST) ?? Math.ceil(lengthMs / MOST / DAY) * DAY
}
