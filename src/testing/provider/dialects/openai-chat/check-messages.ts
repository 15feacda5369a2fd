import { isGiven, type JsonObject, objectOf, objectsOf, textOf } from '../../json/json-value.ts'
import { badRequest } from '../../provider-refusal.ts'
import { emptyArray } from '../openai-refusals.ts'

const ROLES = ['developer', 'system', 'user', 'assistant', 'tool', 'function']

/** The messages of a conversation. Throws what the provider refuses. */
export function checkMessages(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) return badRequest("Missing required parameter: 'messages'.", missing('messages'))
  if (value.length === 0) return emptyArray('messages')
  const messages = value.map(messageFrom)
  checkToolMessages(messages)
  return messages
}

function missing(param: string) {
  return { param, code: 'missing_required_parameter' }
}

function messageFrom(value: unknown, at: number): JsonObject {
  const place = `messages[${at}]`
  const message =
    objectOf(value) ??
    badRequest(`Invalid type for '${place}': expected an object.`, { param: place, code: 'invalid_type' })
  const { role, content, tool_calls: calls, function_call: legacyCall } = message
  if (!ROLES.includes(textOf(role))) {
    badRequest(`Invalid value: '${role}'. Supported values are: ${ROLES.join(', ')}.`, {
      param: `${place}.role`,
      code: 'invalid_value',
    })
  }
  if (Array.isArray(calls) && calls.length === 0) emptyArray(`${place}.tool_calls`)
  const saysNothing = !isGiven(content) || (Array.isArray(content) && content.length === 0)
  if (saysNothing && !(role === 'assistant' && (isGiven(calls) || isGiven(legacyCall)))) {
    badRequest(`Invalid value for 'content': expected a string, got null.`, { param: `${place}.content` })
  }
  return message
}

/** The ids of the calls in a message. */
function callIdsOf(message: JsonObject): readonly string[] {
  return objectsOf(message.tool_calls).map((call) => textOf(call.id))
}

// Every call must have its result directly after its message.
function checkToolMessages(messages: readonly JsonObject[]): void {
  let open = new Set<string>()
  messages.forEach((message, at) => {
    if (message.role === 'tool') {
      if (open.delete(textOf(message.tool_call_id))) return
      badRequest(
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        { param: `messages.[${at}].role` },
      )
    }
    refuseOpen(open)
    open = new Set(callIdsOf(message))
  })
  refuseOpen(open)
}

function refuseOpen(open: ReadonlySet<string>): void {
  if (open.size === 0) return
  badRequest(
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
    { param: 'messages' },
  )
}
