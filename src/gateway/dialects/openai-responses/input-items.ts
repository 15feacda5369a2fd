import type { ToolResult } from '../../../loop/request-view.ts'
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

/** The tool results of a conversation. */
export function toolResultsOf(items: readonly JsonObject[]): readonly ToolResult[] {
  const lastModelItem = items.findLastIndex(isModelItem)
  return items.flatMap((item, index) =>
    isToolResult(item) ? [{ toolCallId: toolCallIdOf(item), isNewest: index > lastModelItem }] : [],
  )
}

/** As many messages as the same conversation has in the other dialects: what the model says in a row is one. */
export function messagesIn(items: readonly JsonObject[]): number {
  let messages = 0
  items.forEach((item, index) => {
    const isGoingOn = isModelItem(item) && index > 0 && isModelItem(items[index - 1]!)
    if (!isSystemItem(item) && !isGoingOn) messages++
  })
  return messages
}
