import { cacheMarkIn } from '../openai/cache-mark.ts'
import { contentText } from '../openai/content-text.ts'
import { partDigest, partMedia } from '../openai/part-digest.ts'
import { editResult, textsOf } from '../request/edit-result.ts'
import { type JsonObject, objectFrom, objectsFrom, textFrom } from '../request/json-value.ts'
import type { MessageContent, MessageFacts, MessageReader } from '../request/wire-message.ts'
import type { ResultSource } from '../request/wire-result.ts'
import { MESSAGE_SHAPE } from './chat-shape.ts'

const SYSTEM_ROLES: ReadonlySet<unknown> = new Set(['system', 'developer'])
const NO_RESULTS: readonly ResultSource[] = []

/** The messages of a chat. */
export const CHAT_MESSAGES: MessageReader = {
  shape: MESSAGE_SHAPE,
  joinsAnswers: false,
  read: readMessage,
  textOf: ({ value }) => messageText(value),
  // Of a tool call, or of a function call as they were before tools.
  resultsOf({ value, span: holder }, index) {
    const { role } = value
    if (role !== 'tool' && role !== 'function') return NO_RESULTS
    const place = { holder, value, field: 'content', textType: 'text' }
    const result: ResultSource = {
      // A result of a function call has no id: its name and its place stand for one, which later requests keep.
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
  // What was said aloud is counted as sound.
  const { audio: ____, ...others } = more
  const calls = objectsFrom(tool_calls).map(({ function: called, custom }) => callText(called ?? custom))
  // What a provider has beside these is read by its model as well: thoughts in a field of their own.
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
