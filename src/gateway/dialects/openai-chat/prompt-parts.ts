import type { PromptPart, PromptParts } from '../../../loop/request-view.ts'
import { type JsonBody, memberOf } from '../../json/index.ts'
import { promptPart } from '../openai/prompt-part.ts'
import { objectsFrom } from '../request/json-value.ts'
import { promptVariant } from '../request/prompt-variant.ts'
import type { ChatMessage } from './chat-message.ts'

// One provider leaves out the middle of what is too long.
const VARYING = ['transforms']

/** The prompt: leading system messages, tools and schemas, then one part for each message. */
export function promptPartsOf({ bytes, value, root }: JsonBody, messages: readonly ChatMessage[]): PromptParts {
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
  const leading = messages.findIndex(({ kind }) => kind !== 'system')
  const systems = leading === -1 ? messages.length : leading
  const variant = promptVariant(value, VARYING)
  return { parts: [...messages.slice(0, systems), ...tools, ...messages.slice(systems)], variant }
}
