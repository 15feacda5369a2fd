import { type EstimateMode, estimateInput } from '../../../pricing/index.ts'
import type { CallOptions } from '../model/language-model.ts'
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
  // The answer to what was counted is counted too.
  const isAnswerNext = mark !== null && prompt[mark.messages]?.role === 'assistant'
  const added = promptSize(prompt.slice((mark?.messages ?? 0) + (isAnswerNext ? 1 : 0)))
  const frame = mark === null ? frameText(tools, responseFormat) : ''
  const { images, documentPages, otherTokens } = added
  return estimateInput(
    {
      lastExactTokens: (mark?.tokens ?? 0) + otherTokens,
      addedText: `${frame}${added.text}`,
      addedParts: added.parts + (mark === null ? (tools?.length ?? 0) + 1 : 0),
      images,
      documentPages,
      model: modelId,
    },
    mode,
  )
}

function frameText(tools: CallOptions['tools'], format: CallOptions['responseFormat']): string {
  const toolText = tools === undefined || tools.length === 0 ? '' : JSON.stringify(tools)
  const schema = format?.type === 'json' ? JSON.stringify(format.schema ?? {}) : ''
  return `${toolText}${schema}`
}
