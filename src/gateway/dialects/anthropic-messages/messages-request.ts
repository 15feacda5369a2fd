import type { JsonShape } from '../../json/index.ts'
import type { RequestFields, WireRequest } from '../dialect.ts'
import type { JsonObject } from '../shared/request/json-value.ts'

/** The fields of a request in this dialect, including those that its own edits need. */
export interface MessagesFields extends RequestFields {
  readonly toolList: readonly JsonObject[]
  readonly serverList: readonly JsonObject[]
}

/** A request of this dialect. */
export interface MessagesRequest extends WireRequest {
  readonly fields: MessagesFields
}

const BLOCK: JsonShape = { members: { source: { members: {} }, content: { elements: { members: {} } } } }

/** The parts of a message that are located. */
export const MESSAGE_SHAPE: JsonShape = { members: { content: { elements: BLOCK } } }

/** The parts of a request that are located: everything that may change, or whose meaning a duplicate key could hide. */
export const MESSAGES_SHAPE: JsonShape = {
  members: {
    cache_control: { members: {} },
    mcp_servers: { elements: { members: {} } },
    messages: { elements: MESSAGE_SHAPE },
    output_config: { members: {} },
    system: { elements: { members: {} } },
    thinking: { members: {} },
    tool_choice: { members: {} },
    tools: { elements: { members: {} } },
  },
}
