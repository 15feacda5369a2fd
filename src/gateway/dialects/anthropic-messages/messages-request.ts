import type { JsonShape } from '../../json/index.ts'
import type { WireRequest } from '../dialect.ts'
import type { JsonObject } from '../request/json-value.ts'
import type { Conversation } from '../request/wire-conversation.ts'
import type { AnthropicMessage } from './anthropic-message.ts'

/** A request of this dialect, with what its own edits and answers need. */
export interface MessagesRequest extends WireRequest {
  readonly conversation: Conversation<AnthropicMessage>
  readonly toolList: readonly JsonObject[]
  readonly serverList: readonly JsonObject[]
}

const BLOCK: JsonShape = { members: { source: { members: {} }, content: { elements: { members: {} } } } }

/** What is looked into: everything that may change, or whose meaning a key that stands twice could hide. */
export const MESSAGES_SHAPE: JsonShape = {
  members: {
    cache_control: { members: {} },
    mcp_servers: { elements: { members: {} } },
    messages: { elements: { members: { content: { elements: BLOCK } } } },
    output_config: { members: {} },
    system: { elements: { members: {} } },
    thinking: { members: {} },
    tool_choice: { members: {} },
    tools: { elements: { members: {} } },
  },
}
