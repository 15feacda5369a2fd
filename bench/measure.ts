/** Something that does its work so many times over. */
export type Work = (times: number) => Promise<void> | void

/**
 * Nanoseconds per call of each work: the best of many short rounds, taken in turns. The best, since whatever else the
 * machine does can only make a round slower; in turns, so that it does that to all of them alike.
 */
export async function nanosecondsPerCall(works: readonly Work[], times: number): Promise<readonly number[]> {
  const best = works.map(() => Number.POSITIVE_INFINITY)
  for (const work of works) await work(times)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, work] of works.entries()) {
      const startedAt = process.hrtime.bigint()
      await work(times)
      const elapsed = Number(process.hrtime.bigint() - startedAt)
      best[index] = Math.min(best[index]!, elapsed / times)
    }
  }
  return best
}

const ROUNDS = 12
