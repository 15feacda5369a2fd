import { assertWholeNumber } from '../../../core/index.ts'

const MOST_WAIT_MS = 7 * 86_400_000

/** Throws unless it is a valid time to wait: a wait of `NaN` would never end. */
export function assertWait(place: string, waitMs: number, leastMs = 0): void {
  assertWholeNumber(place, waitMs, leastMs, MOST_WAIT_MS)
}
