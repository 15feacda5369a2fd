import type { Acceptance } from '../../agents/index.ts'
import type { ParsedLimits } from '../../policy/index.ts'
import type { ChainInput, ChildInput } from '../groups/chain/chain.ts'

/** An order of a model: one agent, several at once, or steps in sequence. */
export type Order = SingleOrder | ParallelOrder | ChainOrder

export interface SingleOrder {
  readonly kind: 'single'
  readonly agent: string
  readonly task: string
  /** Over the agent's own, the weakest first. */
  readonly limits: readonly ParsedLimits[]
  /** The messages that the agent's conversation begins with. */
  readonly conversation: readonly unknown[]
  /** What its work must meet in addition to its own contract. */
  readonly acceptance?: Acceptance | null
}

export interface ParallelOrder {
  readonly kind: 'parallel'
  readonly tasks: readonly ChildInput[]
  readonly concurrency: number | null
  readonly failFast: boolean
  /** Of the whole group. */
  readonly limits: readonly ParsedLimits[]
}

export interface ChainOrder {
  readonly kind: 'chain'
  readonly chain: ChainInput
  readonly task: string
  readonly limits: readonly ParsedLimits[]
}
