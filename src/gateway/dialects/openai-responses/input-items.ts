import { type JsonObject, textFrom } from '../request/json-value.ts'

/** Results of tools that the client ran. */
const RESULTS: ReadonlySet<unknown> = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'local_shell_call_output',
  'shell_call_output',
  'apply_patch_call_output',
  'computer_call_output',
])

export function isToolResult(item: JsonObject): boolean {
  return RESULTS.has(item.type) || (item.type === 'tool_search_output' && item.execution === 'client')
}

export function isSystemItem({ role }: JsonObject): boolean {
  return role === 'system' || role === 'developer'
}

function isUserItem({ role }: JsonObject): boolean {
  return role === 'user'
}

/** Whatever the user, the operator or the client did not write is the model's: texts, reasoning, calls. */
export function isModelItem(item: JsonObject): boolean {
  return !isSystemItem(item) && !isUserItem(item) && !isToolResult(item)
}

export function toolCallIdOf({ call_id: callId, id }: JsonObject): string {
  return textFrom(callId) || textFrom(id)
}
