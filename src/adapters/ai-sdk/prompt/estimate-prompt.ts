import { type EstimateMode, estimateInput } from '../../../pricing/index.ts'
import type { CallOptions } from '../model/language-model.ts'
import { answerDigest } from './answer-digest.ts'
import { promptSize } from './prompt-size.ts'
import type { TokenMarks } from './token-marks.ts'

interface PromptQuestion {
  readonly modelId: string
  readonly options: CallOptions
  readonly digests: ReadonlyMap<number, string>
  readonly marks: TokenMarks
  readonly mode: EstimateMode
}

/** The tokens of a prompt: exact as far as the provider has counted it before, estimated for what was added since. */
export function estimatePrompt({ modelId, options, digests, marks, mode }: PromptQuestion): number {
  const { prompt, tools, responseFormat } = options
  const mark = marks.longest(digests)
  const counted = mark === null ? UNCOUNTED : countedBy(mark, prompt)
  const { text, parts, otherTokens, ...added } = promptSize(prompt.slice(counted.messages))
  const frame = mark === null ? frameText(tools, responseFormat) : ''
  return estimateInput(
    {
      ...added,
      lastExactTokens: counted.tokens + otherTokens,
      addedText: `${frame}${text}`,
      addedParts: parts + (mark === null ? (tools?.length ?? 0) + 1 : 0),
      model: modelId,
    },
    mode,
  )
}

const UNCOUNTED = { messages: 0, tokens: 0 }

/** With the answer where it comes next: an assistant's message that the model did not write was counted by nobody. */
function countedBy(mark: NonNullable<ReturnType<TokenMarks['longest']>>, prompt: CallOptions['prompt']) {
  const { messages, promptTokens, answerTokens } = mark
  const next = prompt[messages]
  const isAnswer = next?.role === 'assistant' && answerDigest(next.content) === mark.answer
  return isAnswer ? { messages: messages + 1, tokens: promptTokens + answerTokens } : { messages, tokens: promptTokens }
}

function frameText(tools: CallOptions['tools'], format: CallOptions['responseFormat']): string {
  const toolText = tools === undefined || tools.length === 0 ? '' : JSON.stringify(tools)
  const schema = format?.type === 'json' ? JSON.stringify(format.schema ?? {}) : ''
  return `${toolText}${schema}`
}
