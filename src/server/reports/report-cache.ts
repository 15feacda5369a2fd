// Many pages ask for the same report at the same time.
const KEPT_MS = 5_000
// One may be all the sums of a year: another span each time must not fill the memory.
const MOST_KEPT = 20

/** Answers that were made a moment ago. */
export interface ReportCache<Value> {
  get(key: unknown, make: () => Promise<Value>): Promise<Value>
}

export function createReportCache<Value>(nowMs: () => number): ReportCache<Value> {
  const kept = new Map<string, { readonly atMs: number; readonly value: Promise<Value> }>()

  function forgetOld(): void {
    for (const [name, { atMs }] of kept) if (Math.abs(nowMs() - atMs) >= KEPT_MS) kept.delete(name)
  }

  return {
    get(key, make) {
      const name = JSON.stringify(key)
      forgetOld()
      const known = kept.get(name)
      if (known !== undefined) return known.value
      const value = make()
      kept.delete(name)
      kept.set(name, { atMs: nowMs(), value })
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!)
      value.catch(() => kept.delete(name))
      return value
    },
  }
}
