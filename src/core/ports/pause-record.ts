import type { Breaches } from '../decide/decide.ts'

/** Why a scope is paused. */
export interface PauseRecord {
  readonly reason: string
  /** The limits that paused it; `null` if a person did. */
  readonly breaches: Breaches | null
  /** The request for more that it waits for. Calls that fit are admitted in the meantime. */
  readonly requestId: string | null
  readonly by: string | null
  readonly atMs: number
}
