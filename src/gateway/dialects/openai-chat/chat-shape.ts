import type { JsonShape } from '../../json/index.ts'

const CALL: JsonShape = { members: {} }
const CALLS: JsonShape = { elements: { members: { function: CALL, custom: CALL } } }

/** What of a message is looked into. */
export const MESSAGE_SHAPE: JsonShape = {
  members: { content: { elements: { members: {} } }, tool_calls: CALLS, function_call: CALL },
}

/** What of a request is looked into. */
export const CHAT_SHAPE: JsonShape = {
  members: {
    messages: { elements: MESSAGE_SHAPE },
    tools: { elements: { members: {} } },
    functions: { elements: {} },
    tool_choice: { members: { allowed_tools: { members: {} } } },
    function_call: { members: {} },
    response_format: { members: {} },
    stream_options: { members: {} },
  },
}
