import type { PromptPart, PromptParts } from '../../../loop/request-view.ts'
import { type JsonBody, memberOf } from '../../json/index.ts'
import { contentText } from '../openai/content-text.ts'
import { promptPart, unseenPart } from '../openai/prompt-part.ts'
import { type JsonObject, objectFrom, objectsFrom, textFrom } from '../request/json-value.ts'
import { promptVariant } from '../request/prompt-variant.ts'
import { isModelItem, isSystemItem } from './input-items.ts'

// What does not fit is left out, where the request allows it.
const VARYING = ['truncation', 'context_management']

/** The prompt: instructions, tools and schemas, what the provider keeps, then one part for each item of the input. */
export function promptPartsOf({ bytes, value, root }: JsonBody, items: readonly JsonObject[]): PromptParts {
  const field = (name: string, kind: PromptPart['kind']): readonly PromptPart[] => {
    const span = memberOf(root, name)
    if (span === null || value[name] === null) return []
    const part = bytes.subarray(span.start, span.end)
    const text = () => (typeof value[name] === 'string' ? value[name] : part.toString())
    const source = { kind, bytes: part, value: value[name], contents: [], text }
    return [promptPart(name === 'tools' ? { ...source, tools: objectsFrom(value.tools) } : source)]
  }
  // A stored conversation grows, an answer does not: only of that it can be known what it takes.
  const previous = textFrom(value.previous_response_id)
  const held = previous === '' ? [] : [{ ...unseenPart('assistant', previous), heldAnswerId: previous }]
  const unseen = [objectFrom(value.prompt)?.id, value.conversation].flatMap((stored) => {
    const id = textFrom(stored) || textFrom(objectFrom(stored)?.id)
    return id === '' ? [] : [unseenPart('assistant', id)]
  })
  const spans = memberOf(root, 'input')?.elements ?? []
  const input = typeof value.input === 'string' ? field('input', 'user') : []
  return {
    variant: promptVariant(value, VARYING),
    parts: [
      ...field('instructions', 'system'),
      ...field('tools', 'tools'),
      ...field('text', 'tools'),
      ...held,
      ...unseen,
      ...input,
      ...items.map((item, index) => {
        const { start, end } = spans[index]!
        return itemPart(item, bytes.subarray(start, end))
      }),
    ],
  }
}

function itemPart(item: JsonObject, bytes: Buffer): PromptPart {
  const kind = isSystemItem(item) ? 'system' : isModelItem(item) ? 'assistant' : 'user'
  if (item.type === 'item_reference' || (item.type === undefined && item.role === undefined)) {
    return { ...unseenPart(kind, textFrom(item.id)), bytes: bytes.length }
  }
  const output = objectFrom(item.output)
  const contents = [...objectsFrom(item.content), ...objectsFrom(item.output), ...(output === null ? [] : [output])]
  return promptPart({ kind, bytes, value: item, contents, text: () => itemText(item, bytes) })
}

/** Of kinds that are not messages or calls of functions, the whole item is taken for text. */
function itemText(item: JsonObject, bytes: Buffer): string {
  const { type = 'message' } = item
  if (type === 'message') return contentText(item.content)
  if (type === 'function_call') return `${textFrom(item.name)} ${textFrom(item.arguments)}`
  if (type === 'custom_tool_call') return `${textFrom(item.name)} ${textFrom(item.input)}`
  if (type === 'function_call_output' || type === 'custom_tool_call_output') return contentText(item.output)
  return type === 'computer_call_output' ? '' : bytes.toString()
}
