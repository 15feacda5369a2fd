import { type JsonObject, textFrom } from '../request/json-value.ts'

export function isSystemMessage({ role }: JsonObject): boolean {
  return role === 'system' || role === 'developer'
}

export function isModelTurn({ role }: JsonObject): boolean {
  return role === 'assistant'
}

/** Whether a message is the result of a tool call, or of a function call as they were before tools. */
export function isToolResult({ role }: JsonObject): boolean {
  return role === 'tool' || role === 'function'
}

/** A result of a function call has no id: its name and its place stand for one, which later requests keep. */
export function toolCallIdOf(message: JsonObject, index: number): string {
  return message.role === 'function' ? `function:${index}:${textFrom(message.name)}` : textFrom(message.tool_call_id)
}
