/** Some percentiles of measured milliseconds. */
export function percentile(milliseconds: readonly number[], percent: number): number {
  const sorted = milliseconds.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0
}
