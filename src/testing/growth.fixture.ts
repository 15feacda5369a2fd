const ROUNDS = 5

/**
 * How many times more CPU time the work takes at the larger size: `large / small` if it is linear. The smaller work is
 * repeated until both would take equally long, so that compilation and garbage collection weigh the same on both sides.
 * The minimum of alternating rounds counts, to exclude other threads and programs.
 */
export async function growth(work: (size: number) => unknown, small: number, large: number): Promise<number> {
  const times = Math.round(large / small)
  const smallMany = async () => {
    for (let time = 0; time < times; time++) await work(small)
  }
  await smallMany()
  let leastSmall = Number.POSITIVE_INFINITY
  let leastLarge = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    leastSmall = Math.min(leastSmall, await cpuTime(smallMany))
    leastLarge = Math.min(leastLarge, await cpuTime(() => work(large)))
  }
  return (leastLarge / Math.max(1, leastSmall)) * times
}

async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
