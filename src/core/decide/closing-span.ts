const LONGEST_CLOSING_SPAN_MS = 15_000
const SHORTEST_CLOSING_SPAN_MS = 3_000

/** The last part of a time limit, reserved for the closing call; 0 if it would be too short to be useful. */
export function closingSpanMs(limitMs: number): number {
  const span = Math.min(LONGEST_CLOSING_SPAN_MS, Math.floor(limitMs / 10))
  return span < SHORTEST_CLOSING_SPAN_MS ? 0 : span
}
