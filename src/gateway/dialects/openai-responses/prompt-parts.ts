import type { PromptPart, PromptParts } from '../../../loop/request-view.ts'
import { type JsonBody, memberOf } from '../../json/index.ts'
import { fieldPart, promptPart, unseenPart } from '../openai/prompt-part.ts'
import { objectFrom, objectsFrom, textFrom } from '../request/json-value.ts'
import { promptVariant } from '../request/prompt-variant.ts'

// What does not fit is left out, where the request allows it.
const VARYING = ['truncation', 'context_management']

/** The prompt: instructions, tools and schemas, what the provider keeps, then one part for each item of the input. */
export function promptPartsOf({ bytes, value, root }: JsonBody, conversation: readonly PromptPart[]): PromptParts {
  const field = (name: string, kind: PromptPart['kind']): readonly PromptPart[] => {
    const span = memberOf(root, name)
    if (span === null || value[name] === null) return []
    const part = bytes.subarray(span.start, span.end)
    const given = value[name]
    if (typeof given === 'object')
      return [fieldPart(kind, given!, part, name === 'tools' ? objectsFrom(given) : undefined)]
    const text = () => (typeof given === 'string' ? given : part.toString())
    const source = { kind, bytes: part, value: given, contents: [], text }
    return [promptPart(name === 'tools' ? { ...source, tools: [] } : source)]
  }
  // A stored conversation grows, an answer does not: only of that it can be known what it takes.
  const previous = textFrom(value.previous_response_id)
  const held = previous === '' ? [] : [{ ...unseenPart('assistant', previous), heldAnswerId: previous }]
  const unseen = [objectFrom(value.prompt)?.id, value.conversation].flatMap((stored) => {
    const id = textFrom(stored) || textFrom(objectFrom(stored)?.id)
    return id === '' ? [] : [unseenPart('assistant', id)]
  })
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
      ...conversation,
    ],
  }
}
