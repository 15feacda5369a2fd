import type { Status } from '../../core/index.ts'
import type { MeterRow, RunProgress } from '../run/run-progress.ts'

/** One agent of a group, for display. */
export interface GroupMember {
  readonly id: string
  /** Its number within the group, from 1. */
  readonly number: number
  /** The step of the chain, from 1. */
  readonly step: number
  readonly agent: string
  readonly label: string
}

/** The progress of a group. A listener that throws does not affect the group. */
export type GroupProgress =
  | {
      readonly kind: 'started'
      readonly id: string
      readonly path: string
      readonly mode: 'parallel' | 'chain'
      readonly steps: number
      readonly isResumed: boolean
    }
  /** A step begins with these agents. */
  | { readonly kind: 'step'; readonly step: number; readonly label: string; readonly members: readonly GroupMember[] }
  | { readonly kind: 'member'; readonly id: string; readonly progress: RunProgress }
  | { readonly kind: 'ended'; readonly id: string; readonly status: Status; readonly error: string | null }
  /** The state of the limits of the whole group. */
  | { readonly kind: 'pool'; readonly rows: readonly MeterRow[] }
  /** It waits for an answer to a request for more. */
  | { readonly kind: 'asking'; readonly request: string; readonly question: string }
  | { readonly kind: 'warning'; readonly message: string }
