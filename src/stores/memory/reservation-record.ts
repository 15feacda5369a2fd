import type { AmountVector, ElasticAsk, LimitCrossing, ReservationState } from '../../core/index.ts'
import type { ScopeState } from './scope-state.ts'

/** A reservation as the memory store keeps it. */
export interface ReservationRecord {
  readonly id: string
  readonly scope: ScopeState
  /** What was asked for, to tell a repetition from another request under the same id. */
  readonly fixed: AmountVector
  readonly elastic: ElasticAsk | null
  readonly reserved: AmountVector
  readonly units: number
  readonly atMs: number
  /** Ascending over the store: tells which limits it was counted on. */
  readonly sequence: number
  readonly holder: string
  state: ReservationState
  /** What it was charged, once it was. */
  charged: AmountVector | null
  /** What that charge passed, should the first answer be lost. */
  crossings: readonly LimitCrossing[]
}
