import type { Limit, Meter } from '../../../core/index.ts'
import type { ChainStep } from '../chain/chain.ts'

/** The meters that a plan adds up: the counters of a run, and its active time. */
export type PlannedMeter = Exclude<Meter, 'spawns' | 'concurrency' | 'messages' | 'depth' | 'wallTime' | 'idleTime'>

/** The most that can be spent, per meter; `null`: no limit bounds it. */
export type WorstCase = Readonly<Record<PlannedMeter, number | null>>

/** One agent of a step, before anything runs. */
export interface PlannedChild {
  readonly agent: string
  readonly label: string | null
  /** How many copies are started at most. */
  readonly count: number
  /** How many agents each of them may start; `null`: no limit bounds it. */
  readonly spawns: number | null
  /** For one of them: the smaller of its own limits and the run's. */
  readonly worstCase: WorstCase
}

export interface PlannedStep {
  readonly kind: ChainStep['kind']
  readonly label: string | null
  readonly children: readonly PlannedChild[]
  readonly concurrency: number
  /** How many agents it starts at most, including those that they start; `null`: no limit bounds it. */
  readonly agents: number | null
  readonly worstCase: WorstCase
}

/** A limit of the run, or a part of `askAbove`, that the worst case exceeds. */
export interface PlannedBreach {
  readonly meter: PlannedMeter | 'spawns'
  readonly limit: number
  /** `null`: no limit bounds it. */
  readonly worstCase: number | null
  readonly message: string
}

/** The worst case of a run, known before anything runs. */
export interface Plan {
  /** Whether every limit of the run covers the worst case. */
  readonly fits: boolean
  readonly steps: readonly PlannedStep[]
  readonly agents: number | null
  readonly worstCase: WorstCase
  /** The limits of the run. */
  readonly limits: readonly Limit[]
  readonly breaches: readonly PlannedBreach[]
  /** The parts of the worst case that exceed `askAbove`, so that a person is asked before it starts. */
  readonly asks: readonly PlannedBreach[]
}
