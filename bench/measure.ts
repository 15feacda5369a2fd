/** Runs `work` until the machine has warmed to it, then returns the best of several rounds in nanoseconds per call. */
export async function nanosecondsPerCall(
  work: (times: number) => Promise<void> | void,
  times: number,
): Promise<number> {
  await work(Math.ceil(times / 4))
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = process.hrtime.bigint()
    await work(times)
    const elapsed = Number(process.hrtime.bigint() - startedAt)
    best = Math.min(best, elapsed / times)
  }
  return best
}

// The best, not the mean: whatever else the machine does can only make a round slower.
const ROUNDS = 5
