/** How long something has taken, in whole milliseconds. */
export function since(startedMs: number): number {
  return Math.round(performance.now() - startedMs)
}
