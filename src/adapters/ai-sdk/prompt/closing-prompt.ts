import type { Breach } from '../../../core/index.ts'
import { notRunResult, shortWrapUpText, wrapUpText } from '../../../governor/index.ts'
import type { Prompt, PromptMessage, ToolMessage } from '../model/language-model.ts'

const LEFT_OUT = '[left out, so that the closing answer fits into the budget]'

/** The prompt of a closing call: unanswered tool calls get a result that says so, and the model is told what is wanted. */
export function closingPrompt(prompt: Prompt, breach: Breach): Prompt {
  return withText(withAllAnswered(prompt, notRunResult(breach)), wrapUpText(breach))
}

/** The prompt of a closing call that is made once more: its text asks for a short answer. */
export function shortClosingPrompt(prompt: Prompt, breach: Breach): Prompt {
  const last = prompt.at(-1)
  if (last?.role !== 'user') return prompt
  return withText([...prompt.slice(0, -1), { ...last, content: last.content.slice(0, -1) }], shortWrapUpText(breach))
}

/** How many tool results could be left out. */
export function resultsIn(prompt: Prompt): number {
  return prompt.reduce((results, message) => results + (message.role === 'tool' ? message.content.length : 0), 0)
}

/** The prompt without the text of its oldest tool results. */
export function withoutOldestResults(prompt: Prompt, count: number): Prompt {
  let left = count
  return prompt.map((message) => {
    if (message.role !== 'tool' || left <= 0) return message
    const content = message.content.map((part) => {
      if (part.type !== 'tool-result' || left <= 0) return part
      left--
      return { ...part, output: { type: 'text' as const, value: LEFT_OUT } }
    })
    return { ...message, content }
  })
}

function withText(prompt: Prompt, text: string): Prompt {
  const last = prompt.at(-1)
  const part = { type: 'text' as const, text }
  if (last?.role !== 'user') return [...prompt, { role: 'user', content: [part] }]
  return [...prompt.slice(0, -1), { ...last, content: [...last.content, part] }]
}

/** A provider refuses a conversation in which a tool call has no result directly behind it. */
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
