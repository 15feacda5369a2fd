import type { createResultKeys } from '../../../loop/hints/result-hints.ts'
import type { WireMessage } from './wire-message.ts'
import type { WireResult } from './wire-result.ts'

/** The messages of a request, and the tool results in them. */
export interface Conversation {
  readonly messages: readonly WireMessage[]
  readonly results: readonly WireResult[]
  /** How many of the messages are those of an earlier request. */
  readonly taken: number
  readonly lineage: Lineage
}

/** Requests of which each goes on from the one before. Of two that go on from the same one, the second begins its own. */
export interface Lineage {
  latest: Conversation | null
  /** The latest body, which has every message that was taken over. */
  bytes: Buffer
  keyOf: ReturnType<typeof createResultKeys> | null
}
