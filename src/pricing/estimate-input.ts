import { addAmount } from '../core/amounts.ts'
import { assertKnownOptions, optionNames } from '../core/assert-known-options.ts'
import { runThrough, type Steps } from '../core/steps.ts'
import { assertCount } from './assert-count.ts'
import { type EstimateMode, estimateTokensInSteps } from './estimate-tokens.ts'
import { mediaCounts, promptWithMedia } from './media/media-quantities.ts'

export interface InputQuestion {
  /** The prompt and the answer of the last call, as the provider counted them. */
  readonly lastExactTokens?: number
  /** What the request adds to that; the whole request where nothing is known yet. */
  readonly addedText: string
  /** Images and pages of documents that are added. Their data is no part of `addedText`. */
  readonly images?: number
  readonly documentPages?: number
  /** The length of sound and of film that is added. */
  readonly audioSeconds?: number
  readonly videoSeconds?: number
  /** How many messages and tools are added: each costs a few tokens that are in no text. */
  readonly addedParts?: number
  /** Whether something is added whose size nobody knows, such as a video that is named by its address. */
  readonly hasUnknownSize?: boolean
  readonly model?: string
}

const QUESTION = optionNames<InputQuestion>({
  lastExactTokens: true,
  addedText: true,
  images: true,
  documentPages: true,
  audioSeconds: true,
  videoSeconds: true,
  addedParts: true,
  hasUnknownSize: true,
  model: true,
})

// Role markers and the frame of a tool: 3 to 7 tokens each where a provider publishes it.
const TOKENS_PER_PART = 8

/**
 * The tokens of the next prompt: exact as far as the last answer knows, estimated for what was added. Media takes what
 * the provider publishes as its most, and no more than the context window; what has no known size may fill that.
 */
export function estimateInput(question: InputQuestion, mode: EstimateMode = 'tight'): number {
  return runThrough(estimateInputInSteps(question, mode))
}

/** The same in pieces, for a text that may be megabytes long. */
export function* estimateInputInSteps(question: InputQuestion, mode: EstimateMode = 'tight'): Steps<number> {
  assertKnownOptions('estimateInput', question, QUESTION)
  const {
    lastExactTokens = 0,
    addedText,
    images = 0,
    documentPages = 0,
    audioSeconds = 0,
    videoSeconds = 0,
    addedParts = 1,
    hasUnknownSize = false,
    model,
  } = question
  const counts = { lastExactTokens, images, documentPages, audioSeconds, videoSeconds, addedParts }
  for (const [field, value] of Object.entries(counts)) assertCount(field, value)
  const added = yield* estimateTokensInSteps(addedText, mode, model)
  const text = addAmount(lastExactTokens, added + addedParts * TOKENS_PER_PART)
  const unknown = hasUnknownSize ? (['other'] as const) : []
  const quantities = { images, documentPages, documentBytes: 0, audioSeconds, videoSeconds, unknown }
  return promptWithMedia(text, mediaCounts(quantities, model), model)
}
