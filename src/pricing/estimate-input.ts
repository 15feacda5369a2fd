import { addAmount } from '../core/amounts.ts'
import { assertCount } from './assert-count.ts'
import { contextWindow } from './context-window.ts'
import { type EstimateMode, estimateTokens } from './estimate-tokens.ts'
import { mediaTokens } from './media-tokens.ts'

export interface InputQuestion {
  /** The prompt and the answer of the last call, as the provider counted them. */
  readonly lastExactTokens?: number
  /** What the request adds to that; the whole request where nothing is known yet. */
  readonly addedText: string
  /** Images and pages of documents that are added. Their data is no part of `addedText`. */
  readonly images?: number
  readonly documentPages?: number
  /** How many messages and tools are added: each costs a few tokens that are in no text. */
  readonly addedParts?: number
  /** Whether something is added whose size nobody knows, such as a video that is named by its address. */
  readonly hasUnknownSize?: boolean
  readonly model?: string
}

// Role markers and the frame of a tool: 3 to 7 tokens each where a provider publishes it.
const TOKENS_PER_PART = 8

/**
 * The tokens of the next prompt: exact as far as the last answer knows, estimated for what was added. What has no known
 * size may fill the whole context window.
 */
export function estimateInput(question: InputQuestion, mode: EstimateMode = 'tight'): number {
  const {
    lastExactTokens = 0,
    addedText,
    images = 0,
    documentPages = 0,
    addedParts = 1,
    hasUnknownSize,
    model,
  } = question
  for (const [field, value] of Object.entries({ lastExactTokens, images, documentPages, addedParts })) {
    assertCount(field, value)
  }
  const media = mediaTokens(model)
  const added = estimateTokens(addedText, mode, model) + addedParts * TOKENS_PER_PART
  const known = addAmount(lastExactTokens, added + images * media.imageTokens + documentPages * media.pageTokens)
  return hasUnknownSize === true ? Math.max(known, contextWindow(model)) : known
}
