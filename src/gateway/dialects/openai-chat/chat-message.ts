import { cacheMarkIn } from '../shared/openai/cache-mark.ts'
import { contentText } from '../shared/openai/content-text.ts'
import { partDigest, partMedia } from '../shared/openai/part-digest.ts'
import { editResult, textsOf } from '../shared/request/edit-result.ts'
import { type JsonObject, objectFrom, objectsFrom, textFrom } from '../shared/request/json-value.ts'
import type { MessageContent, MessageFacts, MessageReader } from '../shared/request/wire-message.ts'
import type { ResultSource } from '../shared/request/wire-result.ts'
import { MESSAGE_SHAPE } from './chat-shape.ts'

const SYSTEM_ROLES: ReadonlySet<unknown> = new Set(['system', 'developer'])
const NO_RESULTS: readonly ResultSource[] = []

/** The messages of a chat. */
export const CHAT_MESSAGES: MessageReader = {
  shape: MESSAGE_SHAPE,
  joinsAnswers: false,
  read: readMessage,
  textOf: ({ value }) => messageText(value),
  // Results of tool calls, and of function calls, their predecessor.
  resultsOf({ value, span: holder }, index) {
    const { role } = value
    if (role !== 'tool' && role !== 'function') return NO_RESULTS
    const place = { holder, value, field: 'content', textType: 'text' }
    const result: ResultSource = {
      // The result of a function call has no id: its name and index are used instead, which later requests keep.
      toolCallId: role === 'function' ? `function:${index}:${textFrom(value.name)}` : textFrom(value.tool_call_id),
      texts: textsOf(value.content),
      write: (edits, change) => editResult(edits, place, change),
    }
    return [result]
  },
}

function readMessage({ body, value, span }: MessageContent): MessageFacts {
  const { role, content } = value
  return {
    kind: SYSTEM_ROLES.has(role) ? 'system' : role === 'assistant' ? 'assistant' : 'user',
    digest: partDigest(body.subarray(span.start, span.end), value),
    media: partMedia(value, objectsFrom(content)),
    cacheMark: cacheMarkIn(value),
  }
}

function messageText(message: JsonObject): string {
  const { role: _, content, name, tool_calls, tool_call_id: __, function_call, cache_control: ___, ...more } = message
  // Spoken text counts as audio.
  const { audio: ____, ...others } = more
  const calls = objectsFrom(tool_calls).map(({ function: called, custom }) => callText(called ?? custom))
  // A provider's additional fields, such as thinking, are read by its model as well.
  const added = Object.values(others).map(anyText)
  const texts = [contentText(content), textFrom(name), callText(function_call), ...calls, ...added]
  return texts.filter((text) => text !== '').join('\n')
}

function callText(call: unknown): string {
  const { name, arguments: given, input } = objectFrom(call) ?? {}
  return [name, given, input].map(anyText).join(' ').trim()
}

function anyText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
