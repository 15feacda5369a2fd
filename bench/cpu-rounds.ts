import type { Work } from './measure.ts'
import { percentile } from './percentiles.ts'

/** CPU of works that took turns in the same rounds. Works are named by their place in the list. */
export interface CpuRounds {
  /** CPU nanoseconds per call: the median of the rounds. */
  nanoseconds(work: number): number
  /** How many times the CPU of another a work needed in the same round: the median of that. */
  ratio(work: number, other: number): number
}

/**
 * Measures the CPU of the whole process, so that collecting what a work leaves behind counts. Turns take about the same
 * time, and each round begins with another work, so that the garbage of one is not always collected in the turn of the
 * same other one.
 */
export async function cpuRounds(works: readonly Work[]): Promise<CpuRounds> {
  const times: number[] = []
  for (const work of works) times.push(await timesPerTurn(work))
  const measured: number[][] = works.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < works.length; turn++) {
      const index = (round + turn) % works.length
      measured[index]!.push(await nanosecondsPerCall(works[index]!, times[index]!))
    }
  }
  return {
    nanoseconds: (work) => percentile(measured[work]!, 50),
    ratio: (work, other) => medianRatio(measured[work]!, measured[other]!),
  }
}

/** The median of the ratios of what was measured in the same rounds. */
export function medianRatio(rounds: readonly number[], others: readonly number[]): number {
  const ratios = rounds.map((each, round) => each / others[round]!)
  return percentile(ratios, 50)
}

/** How many calls fill a turn, after as many as it takes to be warm. */
async function timesPerTurn(work: Work): Promise<number> {
  await nanosecondsPerCall(work, WARM_UP_TIMES)
  return Math.ceil((TURN_MS * 1e6) / (await nanosecondsPerCall(work, WARM_UP_TIMES)))
}

async function nanosecondsPerCall(work: Work, times: number): Promise<number> {
  const before = process.cpuUsage()
  await work(times)
  const { user, system } = process.cpuUsage(before)
  return ((user + system) * 1_000) / times
}

const ROUNDS = 15
const TURN_MS = 80
const WARM_UP_TIMES = 20_000
