import { fillPromptLine } from '../../../governor/edge.ts'
import type { Prompt } from '../model/language-model.ts'

const SLOT = '{budget}'

/**
 * The prompt with the budget line in its `{budget}` placeholder, or after the last system message. If that message has
 * options, such as a cache mark, the line becomes a separate message that the mark does not cover.
 */
export function addPromptLine(prompt: Prompt, line: string): Prompt {
  const isSlotted = prompt.some((message) => message.role === 'system' && message.content.includes(SLOT))
  if (isSlotted) {
    return prompt.map((message) =>
      message.role === 'system' ? { ...message, content: message.content.replaceAll(SLOT, () => line) } : message,
    )
  }
  if (line === '') return prompt
  const first = prompt.findIndex(({ role }) => role !== 'system')
  const end = first === -1 ? prompt.length : first
  const last = prompt[end - 1]
  if (last?.role !== 'system' || last.providerOptions !== undefined) {
    return [...prompt.slice(0, end), { role: 'system', content: line }, ...prompt.slice(end)]
  }
  return [...prompt.slice(0, end - 1), { ...last, content: fillPromptLine(last.content, line) }, ...prompt.slice(end)]
}
