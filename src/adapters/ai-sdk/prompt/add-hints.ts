import { appendHint, defuse } from '../../../governor/index.ts'
import type { AgentLoop } from '../agent-loop.ts'
import type { Prompt, ToolMessage, ToolResultPart } from '../model/language-model.ts'

const MOST_HINTS = 10_000

/**
 * The prompt as the agent sees it: look-alikes in tool results defused, and under the last result of a batch what was
 * left after it. A hint stays at its result in every later request, so that the beginning of the prompt never changes.
 */
export async function addHints(loop: AgentLoop, prompt: Prompt): Promise<Prompt> {
  const places = resultPlaces(prompt)
  const newest = newestResult(prompt)
  const place = newest === null ? undefined : places.get(newest)
  if (place !== undefined && !loop.hints.has(place)) {
    loop.hints.set(place, await loop.scope.hint())
    if (loop.hints.size > MOST_HINTS) loop.hints.delete(loop.hints.keys().next().value!)
  }
  return prompt.map((message) => {
    if (message.role !== 'tool') return message
    const content = message.content.map((part) =>
      part.type === 'tool-result' ? withHint(part, loop.hints.get(places.get(part)!) ?? null) : part,
    )
    return { ...message, content }
  })
}

/** Where each tool result stands: its id, and which of those with that id it is. Some models give each turn the same. */
function resultPlaces(prompt: Prompt): ReadonlyMap<ToolResultPart, string> {
  const seen = new Map<string, number>()
  const results = prompt.flatMap((message) => (message.role === 'tool' ? message.content.filter(isResult) : []))
  return new Map(
    results.map((part) => {
      const count = (seen.get(part.toolCallId) ?? 0) + 1
      seen.set(part.toolCallId, count)
      return [part, `${part.toolCallId}#${count}`]
    }),
  )
}

/** The last tool result, where nothing came after it. */
function newestResult(prompt: Prompt): ToolResultPart | null {
  const last = prompt.at(-1)
  return last?.role === 'tool' ? (last.content.findLast(isResult) ?? null) : null
}

function isResult(part: ToolMessage['content'][number]): part is ToolResultPart {
  return part.type === 'tool-result'
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
