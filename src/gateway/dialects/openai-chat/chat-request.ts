import type { WireRequest } from '../dialect.ts'
import type { Conversation } from '../request/wire-conversation.ts'
import type { ChatMessage } from './chat-message.ts'

/** A request of this dialect, with what its own edits and answers need. */
export interface ChatRequest extends WireRequest {
  readonly conversation: Conversation<ChatMessage>
}
