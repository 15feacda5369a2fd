import type { Announced, Limit } from '../../core/index.ts'

/** The last conversation length compared with a scope's `messages` limits. */
export interface ComparedMessages {
  /** `null`: none yet. */
  length: number | null
  /** What was reported for each limit. A limit that is rewritten starts over. */
  readonly announced: WeakMap<Limit, Announced>
}
