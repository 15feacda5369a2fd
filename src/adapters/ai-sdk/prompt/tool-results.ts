import { createResultKeys } from '../../../loop/hints/result-hints.ts'
import type { HintsByKey } from '../../../loop/request-view.ts'
import type { Prompt, PromptMessage, ToolResultPart } from '../model/language-model.ts'

const LEFT_OUT = '[left out, so that the closing answer fits into the budget]'

/** Changes to the tool results of a prompt. */
export interface ResultEdits {
  /** By result key. */
  readonly hints?: HintsByKey | undefined
  /** Texts that contain something like our hints, each with its defused replacement. */
  readonly defused?: ReadonlyMap<string, string> | undefined
  /** How many of the oldest results are left out. */
  readonly leftOut?: number | undefined
}

/** The prompt with its tool results as the agent should see them. A hint is the last paragraph of its result. */
export function editResults(prompt: Prompt, { hints, defused, leftOut = 0 }: ResultEdits): Prompt {
  if (hints === undefined && defused === undefined && leftOut === 0) return prompt
  const keyOf = createResultKeys()
  let left = leftOut
  return prompt.map((message) => {
    if (message.role !== 'tool') return message
    const content = message.content.map((part) => {
      if (part.type !== 'tool-result') return part
      const hint = hints?.get(keyOf(part.toolCallId)) ?? null
      if (left-- > 0) return { ...part, output: { type: 'text' as const, value: LEFT_OUT } }
      return editResult(part, hint, (text) => defused?.get(text) ?? text)
    })
    return { ...message, content }
  })
}

function editResult(part: ToolResultPart, hint: string | null, defuse: (text: string) => string): ToolResultPart {
  const { output } = part
  const edited = (text: string): string => (hint === null ? defuse(text) : withHint(defuse(text), hint))
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...part, output: { ...output, value: edited(output.value) } }
    case 'json':
    case 'error-json': {
      const text = JSON.stringify(output.value) ?? 'null'
      if (edited(text) === text) return part
      const type = output.type === 'json' ? 'text' : 'error-text'
      return { ...part, output: { ...output, type, value: edited(text) } }
    }
    case 'content': {
      const value = output.value.map((each) => (each.type === 'text' ? { ...each, text: defuse(each.text) } : each))
      const hinted = hint === null ? value : [...value, { type: 'text' as const, text: hint }]
      return { ...part, output: { ...output, value: hinted } }
    }
    default:
      return hint === null ? part : { ...part, output: { ...output, reason: withHint(output.reason ?? '', hint) } }
  }
}

function withHint(text: string, hint: string): string {
  return text === '' ? hint : `${text}\n\n${hint}`
}

/** Every text in the tool results of a prompt that `editResults` can replace. */
export function resultTextsIn(prompt: Prompt): readonly string[] {
  const texts: string[] = []
  for (const message of prompt) {
    for (const { output } of resultsIn(message)) {
      if (output.type === 'text' || output.type === 'error-text') texts.push(output.value)
      if (output.type === 'json' || output.type === 'error-json') texts.push(JSON.stringify(output.value) ?? 'null')
      if (output.type === 'content') for (const each of output.value) if (each.type === 'text') texts.push(each.text)
    }
  }
  return texts
}

/** The tool results in a message. */
export function resultsIn(message: PromptMessage | undefined): readonly ToolResultPart[] {
  const results: ToolResultPart[] = []
  if (message?.role === 'tool') for (const part of message.content) if (part.type === 'tool-result') results.push(part)
  return results
}
