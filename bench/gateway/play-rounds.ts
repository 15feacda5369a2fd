import { medianRatio } from '../cpu-rounds.ts'
import { percentile } from '../percentiles.ts'
import { printTable } from '../table.ts'
import type { Subject } from './stage.ts'
import type { Part } from './start-process.ts'
import { type Turn, type TurnOrder, takeTurn } from './take-turn.ts'

const ROUNDS = 9
// Requests before the first round, as a multiple of a turn: code that is new is slow, and the slower the more there is.
const WARM_UP = 10

export interface Rounds extends TurnOrder {
  readonly title: string
  /** Requests before the first round, as a multiple of a turn. Default: 10. */
  readonly warmUp?: number
}

export interface Played {
  /** The median of a subject over the rounds. */
  figure(subject: Subject, of: keyof Turn): number
  /** How many times the figure of another a subject had in the same round: the median of that. */
  ratio(of: keyof Turn, subject: Subject, other: Subject): number
}

/** Rounds of many short turns: what else the machine does passes over all subjects alike. */
export async function playRounds(load: Part, rounds: Rounds, subjects: readonly Subject[]): Promise<Played> {
  const turns: Turn[][] = subjects.map(() => [])
  const requests = rounds.requests * (rounds.warmUp ?? WARM_UP)
  for (const subject of subjects) await takeTurn(load, subject, { ...rounds, requests })
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, subject] of subjects.entries()) turns[index]!.push(await takeTurn(load, subject, rounds))
  }
  const all = (subject: Subject, of: keyof Turn): readonly number[] =>
    turns[subjects.indexOf(subject)]!.map((turn) => turn[of])
  const figure: Played['figure'] = (subject, of) => percentile(all(subject, of), 50)
  printTable(rounds.title, ['', 'requests/s', 'CPU µs', 'p50 ms', 'p99 ms', 'first byte ms'], subjects.map(rowOf))

  function rowOf(subject: Subject): readonly string[] {
    const cpu = subject.part === null ? '' : figure(subject, 'cpuMicros').toFixed(0)
    const times = (['p50Ms', 'p99Ms', 'firstByteMs'] as const).map((of) => figure(subject, of).toFixed(2))
    return [subject.name, figure(subject, 'perSecond').toFixed(0), cpu, ...times]
  }

  return { figure, ratio: (of, subject, other) => medianRatio(all(subject, of), all(other, of)) }
}
