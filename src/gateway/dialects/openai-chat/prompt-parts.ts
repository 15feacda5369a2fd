import type { PromptPart, PromptParts } from '../../../loop/request-view.ts'
import { type JsonBody, memberOf } from '../../json/index.ts'
import { fieldPart, promptPart } from '../openai/prompt-part.ts'
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
    const given = value[field]
    if (typeof given !== 'object') {
      return [promptPart({ kind: 'tools', bytes: part, value: given, contents: [], text: () => part.toString() })]
    }
    return [fieldPart('tools', given!, part, field === 'response_format' ? undefined : objectsFrom(given))]
  })
  const leading = messages.findIndex(({ kind }) => kind !== 'system')
  const systems = leading === -1 ? messages.length : leading
  const variant = promptVariant(value, VARYING)
  return { parts: [...messages.slice(0, systems), ...tools, ...messages.slice(systems)], variant }
}
