import { addAmount } from '../../core/amounts/amounts.ts'
import { assertKnownOptions, optionNames } from '../../core/checks/assert-known-options.ts'
import { runThrough, type Steps } from '../../core/interruptible-work.ts'
import { assertCount } from '../call/assert-count.ts'
import { type EstimateMode, estimateTokensInSteps } from './estimate-tokens.ts'
import { mediaCounts, promptWithMedia } from './media/media-quantities.ts'

export interface InputQuestion {
  /** The prompt and answer of the last call, as the provider counted them. */
  readonly lastExactTokens?: number
  /** What the request adds to that; the whole request if nothing is known yet. */
  readonly addedText: string
  /** Added images and document pages. Their data isn't part of `addedText`. */
  readonly images?: number
  readonly documentPages?: number
  /** The duration of added audio and video. */
  readonly audioSeconds?: number
  readonly videoSeconds?: number
  /** How many messages and tools are added: each costs a few tokens beyond its text. */
  readonly addedParts?: number
  /** Whether something of unknown size is added, such as a video given by URL. */
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

// Role markers and tool framing: 3 to 7 tokens each where a provider publishes it.
const TOKENS_PER_PART = 8

/**
 * The tokens of the next prompt: exact up to the last answer, estimated for what was added. Media counts at the
 * provider's published maximum, capped at the context window; media of unknown size may fill the window.
 */
export function estimateInput(question: InputQuestion, mode: 'tight' | 'strict' = 'tight'): number {
  return runThrough(estimateInputInSteps(question, mode))
}

/** The same in steps, for text that may be megabytes long. */
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
