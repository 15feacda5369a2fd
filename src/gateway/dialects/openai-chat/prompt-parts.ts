import type { PromptPart, PromptParts } from '../../../loop/request-view.ts'
import { type JsonBody, memberOf } from '../../json/index.ts'
import { contentText } from '../openai/content-text.ts'
import { promptPart } from '../openai/prompt-part.ts'
import { type JsonObject, objectFrom, objectsFrom, textFrom } from '../request/json-value.ts'
import { promptVariant } from '../request/prompt-variant.ts'
import { isModelTurn, isSystemMessage } from './chat-messages.ts'

// One provider leaves out the middle of what is too long.
const VARYING = ['transforms']

/** The prompt: leading system messages, tools and schemas, then one part for each message. */
export function promptPartsOf({ bytes, value, root }: JsonBody, messages: readonly JsonObject[]): PromptParts {
  const spans = memberOf(root, 'messages')!.elements
  const parts = messages.map((message, index): PromptPart => {
    const { start, end } = spans[index]!
    return promptPart({
      kind: isSystemMessage(message) ? 'system' : isModelTurn(message) ? 'assistant' : 'user',
      bytes: bytes.subarray(start, end),
      value: message,
      contents: objectsFrom(message.content),
      text: () => messageText(message),
    })
  })
  const tools = ['tools', 'functions', 'response_format'].flatMap((field): PromptPart[] => {
    const span = memberOf(root, field)
    if (span === null || value[field] === null) return []
    const part = bytes.subarray(span.start, span.end)
    const source = {
      kind: 'tools' as const,
      bytes: part,
      value: value[field],
      contents: [],
      text: () => part.toString(),
    }
    return [promptPart(field === 'response_format' ? source : { ...source, tools: objectsFrom(value[field]) })]
  })
  const leading = messages.findIndex((message) => !isSystemMessage(message))
  const systems = leading === -1 ? messages.length : leading
  const variant = promptVariant(value, VARYING)
  return { parts: [...parts.slice(0, systems), ...tools, ...parts.slice(systems)], variant }
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
