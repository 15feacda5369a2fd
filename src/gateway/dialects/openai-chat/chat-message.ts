import type { CacheMark } from '../../../pricing/index.ts'
import { cacheMarkIn } from '../openai/cache-mark.ts'
import { contentText } from '../openai/content-text.ts'
import { partDigest, partMedia } from '../openai/prompt-part.ts'
import { editResult, textsOf } from '../request/edit-result.ts'
import type { FoundMedia } from '../request/encoded-file.ts'
import { type JsonObject, objectFrom, objectsFrom, textFrom } from '../request/json-value.ts'
import { type MessagePlace, WireMessage } from '../request/wire-message.ts'
import type { ResultSource } from '../request/wire-result.ts'
import { isModelTurn, isSystemMessage, isToolResult, toolCallIdOf } from './chat-messages.ts'

const NO_RESULTS: readonly ResultSource[] = []

/** A message of a chat. */
export class ChatMessage extends WireMessage {
  constructor(place: MessagePlace) {
    const { value } = place
    super(isSystemMessage(value) ? 'system' : isModelTurn(value) ? 'assistant' : 'user', place)
  }

  text(): string {
    return messageText(this.value)
  }

  protected readDigest(body: Buffer): string {
    return partDigest(body.subarray(this.span.start, this.span.end), this.value)
  }

  protected readMedia(): readonly FoundMedia[] {
    return partMedia(this.value, objectsFrom(this.value.content))
  }

  protected readCacheMark(): CacheMark {
    return cacheMarkIn(this.value)
  }

  results(): readonly ResultSource[] {
    const { value, span: holder, index } = this
    if (!isToolResult(value)) return NO_RESULTS
    const place = { holder, value, field: 'content', textType: 'text' }
    const result: ResultSource = {
      toolCallId: toolCallIdOf(value, index),
      texts: textsOf(value.content),
      write: (edits, change) => editResult(edits, place, change),
    }
    return [result]
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
