import type { Breaches } from '../../core/index.ts'

/** A scope's pause, until it is resumed. */
export interface Pause {
  /** The limits that paused it; `null` if a person did. */
  readonly breaches: Breaches | null
  /** Why, in words. */
  readonly reason: string
  /** The request for an increase that refused callers wait for. */
  readonly request: string | null
  readonly sinceMs: number
  /** Its loop ended with the pause: it continues when it is resumed, not by a raise alone. */
  readonly loopEnds: boolean
  /** What the loop needs to continue. */
  readonly conversation: unknown
}

/** Whether it is paused for an answer that no call waits for: its loops end, and the answer is for the next resume. */
export function isUnattended({ request, loopEnds }: Pick<Pause, 'request' | 'loopEnds'>): boolean {
  return request !== null && loopEnds
}
