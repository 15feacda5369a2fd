import type { JsonShape } from '../../json/index.ts'

const CALL: JsonShape = { members: {} }
const CALLS: JsonShape = { elements: { members: { function: CALL, custom: CALL } } }

/** The parts of a message that are located. */
export const MESSAGE_SHAPE: JsonShape = {
  members: { content: { elements: { members: {} } }, tool_calls: CALLS, function_call: CALL },
}

/** The parts of a request that are located. */
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
