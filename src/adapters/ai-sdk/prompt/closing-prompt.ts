import type { ClosingEdit } from '../../../loop/request-view.ts'
import type { Prompt, PromptMessage, ToolMessage } from '../model/language-model.ts'

/**
 * The prompt of a closing call: unanswered tool calls get a result that says so, followed by the closing instruction.
 */
export function closingPrompt(prompt: Prompt, { text, notRun = '' }: ClosingEdit): Prompt {
  return withText(withAllAnswered(prompt, notRun), text)
}

function withText(prompt: Prompt, text: string): Prompt {
  const last = prompt.at(-1)
  const part = { type: 'text' as const, text }
  if (last?.role !== 'user') return [...prompt, { role: 'user', content: [part] }]
  return [...prompt.slice(0, -1), { ...last, content: [...last.content, part] }]
}

/** A provider refuses a conversation in which a tool call is not directly followed by its result. */
function withAllAnswered(prompt: Prompt, text: string): Prompt {
  return prompt.flatMap((message, index): PromptMessage[] => {
    if (message.role !== 'assistant') return [message]
    const calls = message.content.filter((part) => part.type === 'tool-call' && part.providerExecuted !== true)
    const next = prompt[index + 1]
    const answered = next?.role === 'tool' ? next.content : []
    const missing = calls.flatMap((call) => {
      if (call.type !== 'tool-call') return []
      const isAnswered = answered.some((part) => part.type === 'tool-result' && part.toolCallId === call.toolCallId)
      return isAnswered ? [] : [resultFor(call, text)]
    })
    if (missing.length === 0) return [message]
    return [message, { role: 'tool', content: missing }]
  })
}

function resultFor(call: { toolCallId: string; toolName: string }, text: string): ToolMessage['content'][number] {
  const { toolCallId, toolName } = call
  return { type: 'tool-result', toolCallId, toolName, output: { type: 'error-text', value: text } }
}
