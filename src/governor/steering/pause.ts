import type { Breaches } from '../../core/index.ts'

/** A scope that stands until somebody resumes it. */
export interface Pause {
  /** The limits that paused it; `null` where a person did. */
  readonly breaches: Breaches | null
  /** Why, in words. */
  readonly reason: string
  /** The request for more whose answer those who are refused wait for. */
  readonly request: string | null
  readonly sinceMs: number
  /** Its loop has ended with the pause: it goes on when it is resumed, and not by a raise alone. */
  readonly loopEnds: boolean
  /** What the loop needs to go on. */
  readonly conversation: unknown
}
