import type { AnswerPart, AssistantMessage } from '../language-model.ts'

type MessagePart = Exclude<AssistantMessage['content'], string>[number]

/** Converts a model's answer to a message of the conversation, as the AI SDK does. */
export function assistantMessage(
  content: readonly AnswerPart[],
): AssistantMessage & { readonly content: readonly MessagePart[] } {
  return { role: 'assistant', content: content.flatMap(partFrom) }
}

function partFrom(part: AnswerPart): readonly MessagePart[] {
  const options = part.providerMetadata === undefined ? {} : { providerOptions: part.providerMetadata }
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text, ...options }]
    case 'reasoning':
      return [{ type: 'reasoning', text: part.text, ...options }]
    case 'file': {
      const { mediaType, data } = part
      return [{ type: 'file', mediaType, data: typeof data === 'string' ? data : base64Of(data), ...options }]
    }
    case 'tool-call': {
      const { toolCallId, toolName, providerExecuted } = part
      const own = providerExecuted === undefined ? {} : { providerExecuted }
      return [{ type: 'tool-call', toolCallId, toolName, input: inputFrom(part.input), ...own, ...options }]
    }
    case 'tool-result': {
      const { toolCallId, toolName, result, isError } = part
      const output = { type: isError === true ? ('error-json' as const) : ('json' as const), value: result }
      return [{ type: 'tool-result', toolCallId, toolName, output, ...options }]
    }
    default:
      return []
  }
}

/** Invalid JSON is kept as text: the call fails, and that is its result. */
function inputFrom(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
