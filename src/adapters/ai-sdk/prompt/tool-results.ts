import { createResultKeys } from '../../../loop/hints/result-hints.ts'
import type { Prompt, PromptMessage, ToolMessage, ToolResultPart } from '../model/language-model.ts'

const LEFT_OUT = '[left out, so that the closing answer fits into the budget]'

/** What is changed in the tool results of a prompt. */
export interface ResultEdits {
  /** By the keys of the results. */
  readonly hints?: ReadonlyMap<string, string> | undefined
  /** Texts in which something looks like our hints, each with the harmless one in its place. */
  readonly defused?: ReadonlyMap<string, string> | undefined
  /** How many of the oldest are left out. */
  readonly leftOut?: number | undefined
}

/** The prompt with its tool results as the agent shall see them. A hint is the last paragraph of its result. */
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
  return prompt.flatMap(resultsIn).flatMap(({ output }) => {
    switch (output.type) {
      case 'text':
      case 'error-text':
        return [output.value]
      case 'json':
      case 'error-json':
        return [JSON.stringify(output.value) ?? 'null']
      case 'content':
        return output.value.flatMap((each) => (each.type === 'text' ? [each.text] : []))
      default:
        return []
    }
  })
}

/** The tool results in a message. */
export function resultsIn(message: PromptMessage): readonly ToolResultPart[] {
  return message.role === 'tool' ? message.content.filter(isResult) : []
}

function isResult(part: ToolMessage['content'][number]): part is ToolResultPart {
  return part.type === 'tool-result'
}
