import type { Announced, Limit } from '../../core/index.ts'

/** The last conversation that was compared with the `messages` limits of a scope. */
export interface ComparedMessages {
  /** `null`: none yet. */
  length: number | null
  /** What was told of each limit; one that is written anew is told of anew. */
  readonly announced: WeakMap<Limit, Announced>
}
