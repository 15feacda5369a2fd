import type { WireMessage } from './wire-message.ts'
import type { WireResult } from './wire-result.ts'

/** The messages of a request, and the tool results in them. */
export interface Conversation<Message extends WireMessage = WireMessage> {
  readonly messages: readonly Message[]
  readonly results: readonly WireResult[]
  /** How many of the messages are those of an earlier request. */
  readonly taken: number
}
