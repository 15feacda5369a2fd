import type { WireRequest } from '../dialect.ts'
import type { JsonObject } from '../request/json-value.ts'
import type { Conversation } from '../request/wire-conversation.ts'
import type { InputItem } from './input-item.ts'

/** A request of this dialect, with what its own edits and answers need. */
export interface ResponsesRequest extends WireRequest {
  /** The items of the input; none where it is a text. */
  readonly conversation: Conversation<InputItem>
  readonly tools: readonly JsonObject[]
}
