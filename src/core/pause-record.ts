import type { Breaches } from './decide.ts'

/** Why a scope stands. */
export interface PauseRecord {
  readonly reason: string
  /** The limits that paused it; `null` where a person did. */
  readonly breaches: Breaches | null
  /** The request for more whose answer it waits for; calls that fit are admitted meanwhile. */
  readonly requestId: string | null
  readonly by: string | null
  readonly atMs: number
}
