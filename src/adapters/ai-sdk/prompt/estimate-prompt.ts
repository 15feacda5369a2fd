import { mediaSize } from '../../../governor/index.ts'
import {
  type EstimateMode,
  estimateInput,
  type MediaCounts,
  mediaCounts,
  promptWithMedia,
  toolPromptTokens,
} from '../../../pricing/index.ts'
import type { CallOptions } from '../model/language-model.ts'
import { answerDigest } from './answer-digest.ts'
import { filesIn, promptSize } from './prompt-size.ts'
import type { TokenMarks } from './token-marks.ts'

interface PromptQuestion {
  readonly modelId: string
  readonly options: CallOptions
  readonly digests: ReadonlyMap<number, string>
  readonly marks: TokenMarks
  readonly mode: EstimateMode
}

/** What a prompt will take. */
export interface PromptEstimate {
  readonly inputTokens: number
  /** What of it the provider has counted before, in a prompt that this one begins with. */
  readonly countedTokens: number
  /** What of it may be sound, images or film; `null` for none. */
  readonly media: MediaCounts | null
}

/** The tokens of a prompt: exact as far as the provider has counted it before, estimated for what was added since. */
export function estimatePrompt({ modelId, options, digests, marks, mode }: PromptQuestion): PromptEstimate {
  const { prompt, tools, responseFormat } = options
  const mark = marks.longest(digests)
  const counted = mark === null ? UNCOUNTED : countedBy(mark, prompt)
  const { text, parts, files } = promptSize(prompt.slice(counted.messages))
  const frame = mark === null ? frameText(tools, responseFormat) : ''
  const hidden = mark === null ? toolPromptTokens(modelId, toolKinds(tools)) : 0
  const textTokens = estimateInput(
    {
      lastExactTokens: counted.tokens + hidden,
      addedText: `${frame}${text}`,
      addedParts: parts + (mark === null ? (tools?.length ?? 0) + 1 : 0),
      model: modelId,
    },
    mode,
  )
  const added = mediaCounts(mediaSize(files), modelId)
  // Also of what was counted before: the count does not say which of it was media.
  const all = counted.messages === 0 ? files : filesIn(prompt)
  return {
    inputTokens: promptWithMedia(textTokens, added, modelId),
    countedTokens: mark?.promptTokens ?? 0,
    media: all.length === 0 ? null : mediaCounts(mediaSize(all), modelId),
  }
}

const UNCOUNTED = { messages: 0, tokens: 0 }

/** With the answer where it comes next: an assistant's message that the model did not write was counted by nobody. */
function countedBy(mark: NonNullable<ReturnType<TokenMarks['longest']>>, prompt: CallOptions['prompt']) {
  const { messages, promptTokens, answerTokens } = mark
  const next = prompt[messages]
  const isAnswer = next?.role === 'assistant' && answerDigest(next.content) === mark.answer
  return isAnswer ? { messages: messages + 1, tokens: promptTokens + answerTokens } : { messages, tokens: promptTokens }
}

function toolKinds(tools: CallOptions['tools'] = []) {
  const definedTools = tools.flatMap((tool) => (tool.type === 'provider' ? [tool.id.replace(/^\w+\./, '')] : []))
  return { toolCount: tools.length, definedTools }
}

function frameText(tools: CallOptions['tools'], format: CallOptions['responseFormat']): string {
  const toolText = tools === undefined || tools.length === 0 ? '' : JSON.stringify(tools)
  const schema = format?.type === 'json' ? JSON.stringify(format.schema ?? {}) : ''
  return `${toolText}${schema}`
}
