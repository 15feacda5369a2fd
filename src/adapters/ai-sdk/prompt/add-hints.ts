import { appendHint, defuse } from '../../../governor/index.ts'
import type { AgentLoop } from '../agent-loop.ts'
import type { Prompt, ToolMessage, ToolResultPart } from '../model/language-model.ts'

const MOST_HINTS = 10_000

/**
 * The prompt as the agent sees it: look-alikes in tool results defused, and under the last result of a batch what was
 * left after it. A hint stays at its result in every later request, so that the beginning of the prompt never changes.
 */
export async function addHints(loop: AgentLoop, prompt: Prompt): Promise<Prompt> {
  const newest = lastResultOf(prompt)
  if (newest !== null && !loop.hints.has(newest)) {
    loop.hints.set(newest, await loop.scope.hint())
    if (loop.hints.size > MOST_HINTS) loop.hints.delete(loop.hints.keys().next().value!)
  }
  return prompt.map((message) => (message.role === 'tool' ? withHints(loop.hints, message) : message))
}

/** The id of the last tool result, where nothing came after it. */
function lastResultOf(prompt: Prompt): string | null {
  const last = prompt.at(-1)
  if (last?.role !== 'tool') return null
  return last.content.findLast((part) => part.type === 'tool-result')?.toolCallId ?? null
}

function withHints(hints: AgentLoop['hints'], message: ToolMessage): ToolMessage {
  const content = message.content.map((part) =>
    part.type === 'tool-result' ? withHint(part, hints.get(part.toolCallId) ?? null) : part,
  )
  return { ...message, content }
}

function withHint(part: ToolResultPart, hint: string | null): ToolResultPart {
  const { output } = part
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...part, output: { ...output, value: appendHint(output.value, hint) } }
    case 'json':
    case 'error-json': {
      const text = JSON.stringify(output.value) ?? 'null'
      if (hint === null && defuse(text) === text) return part
      const type = output.type === 'json' ? 'text' : 'error-text'
      return { ...part, output: { ...output, type, value: appendHint(text, hint) } }
    }
    case 'content': {
      const value = output.value.map((each) => (each.type === 'text' ? { ...each, text: defuse(each.text) } : each))
      const hinted = hint === null ? value : [...value, { type: 'text' as const, text: hint }]
      return { ...part, output: { ...output, value: hinted } }
    }
    default:
      return hint === null ? part : { ...part, output: { ...output, reason: appendHint(output.reason ?? '', hint) } }
  }
}
