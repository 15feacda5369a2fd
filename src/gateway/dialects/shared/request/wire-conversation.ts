import type { createResultKeys } from '../../../../loop/hints/result-hints.ts'
import type { WireMessage } from './wire-message.ts'
import type { WireResult } from './wire-result.ts'

/** The messages of a request, and the tool results in them. */
export interface Conversation {
  readonly messages: readonly WireMessage[]
  readonly results: readonly WireResult[]
  /** How many of the messages are reused from an earlier request. */
  readonly taken: number
  readonly lineage: Lineage
}

/** Requests that each continue the one before. If two continue the same one, the second begins its own lineage. */
export interface Lineage {
  latest: Conversation | null
  /** The latest body, which has every reused message. */
  bytes: Buffer
  keyOf: ReturnType<typeof createResultKeys> | null
}
