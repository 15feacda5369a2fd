import { DEFAULT_PHASE, PHASES, type Phase } from './amounts-from-usage.ts'
import { assertCallFields } from './assert-call-fields.ts'
import { assertCount } from './assert-count.ts'
import { assertModel } from './assert-model.ts'
import { assertWord } from './assert-word.ts'
import { CACHE_MARKS, type CacheMark } from './cache-mark.ts'
import { MEDIA_KINDS, type MediaCounts } from './media/media-kind.ts'
import { type ModelPrice, type PriceFactor, scalePrice } from './model-price.ts'
import type { PriceBook, PriceQuery } from './price-book.ts'
import { priceOfModel } from './price-of-model.ts'

/** A request as far as its worst case goes. */
export interface ModelCall extends PriceQuery {
  /**
   * The price; `null` for a model without one, whose cost then is not counted. Looked up by `model` if left out: a call
   * with neither is refused.
   */
  readonly price?: ModelPrice | null | undefined
  readonly model?: string | undefined
  readonly book?: PriceBook | undefined
  /** The whole prompt, as `estimateInput` gives it. */
  readonly inputTokens: number
  /**
   * How many of them may be sound, images or film, which some models price apart: `{ audio: 1200 }`. The rest is text.
   * Left out with `hasMedia`, all of them may be the dearest.
   */
  readonly media?: MediaCounts | undefined
  /** The output cap of the request, per choice, thinking included. */
  readonly maxOutputTokens: number
  /** How many answers the request asks for (`n`). */
  readonly choices?: number | undefined
  readonly cacheMark?: CacheMark | undefined
  readonly thinkingBudget?: number | null | undefined
  readonly smallestThinking?: number | undefined
  /** Default: `execution`. */
  readonly phase?: Phase | undefined
  /** The most web searches that the provider may run for the request. */
  readonly webSearches?: number | undefined
  /** The most searches in files that it keeps. */
  readonly fileSearches?: number | undefined
  /** What a fast mode, a priority tier or a region multiplies the price by. */
  readonly priceFactor?: PriceFactor | undefined
}

/** A call with its price and every default filled in. */
export interface ResolvedCall {
  readonly price: ModelPrice | null
  readonly inputTokens: number
  readonly media: MediaCounts | undefined
  /** The cap that was asked for, cut to the model's own maximum. */
  readonly maxOutputTokens: number
  readonly choices: number
  readonly cacheMark: CacheMark
  readonly thinkingBudget: number | null
  readonly smallestThinking: number
  readonly phase: Phase
  readonly webSearches: number
  readonly fileSearches: number
}

/** Anthropic's smallest thinking budget; a provider without one passes 0. */
export const SMALLEST_THINKING = 1_024

const CHOICES = { least: 1, most: 1_000 }
const FACTOR = { least: 1, most: 1_000 }

// Those that may be left out. A call without the others is refused anyway.
const OPTIONAL_FIELDS = [
  'book',
  'provider',
  'at',
  'hasMedia',
  'media',
  'choices',
  'cacheMark',
  'thinkingBudget',
  'smallestThinking',
  'phase',
  'webSearches',
  'fileSearches',
  'priceFactor',
] as const satisfies readonly (keyof ModelCall)[]

// They are on every call, so that nobody looks what they might be a misspelling of.
const OTHER_FIELDS = [
  'price',
  'model',
  'inputTokens',
  'maxOutputTokens',
] as const satisfies readonly (keyof ModelCall)[]

/**
 * Fills a call in. Throws `InvalidCallError` for counts and words that are none and for fields that are nearly ours, and
 * `UnpricedModelError` for a `model` without a price that the book refuses.
 */
export function resolveCall(call: ModelCall): ResolvedCall {
  assertCallFields(call, OPTIONAL_FIELDS, OTHER_FIELDS)
  const price = priceOfCall(call)
  const {
    choices = 1,
    webSearches = 0,
    fileSearches = 0,
    thinkingBudget = null,
    smallestThinking = SMALLEST_THINKING,
    cacheMark = 'none',
    phase = DEFAULT_PHASE,
    priceFactor,
    media,
  } = call
  assertCount('inputTokens', call.inputTokens)
  for (const [kind, tokens] of Object.entries(media ?? {})) assertMedia(kind, tokens)
  assertCount('maxOutputTokens', call.maxOutputTokens)
  assertCount('choices', choices, CHOICES)
  assertCount('webSearches', webSearches)
  assertCount('fileSearches', fileSearches)
  assertCount('thinkingBudget', thinkingBudget ?? 0)
  assertCount('smallestThinking', smallestThinking)
  assertCount('priceFactor.numerator', priceFactor?.numerator ?? 1, FACTOR)
  assertCount('priceFactor.denominator', priceFactor?.denominator ?? 1, FACTOR)
  assertWord({ field: 'cacheMark', value: cacheMark, words: CACHE_MARKS })
  assertWord({ field: 'phase', value: phase, words: PHASES })
  return {
    price: price !== null && priceFactor !== undefined ? scalePrice(price, priceFactor) : price,
    inputTokens: call.inputTokens,
    media,
    maxOutputTokens: Math.min(call.maxOutputTokens, price?.maxOutputTokens ?? call.maxOutputTokens),
    choices,
    webSearches,
    fileSearches,
    thinkingBudget,
    smallestThinking,
    cacheMark,
    phase,
  }
}

function assertMedia(kind: string, tokens: unknown): void {
  assertWord({ field: 'media', value: kind, words: [...MEDIA_KINDS, 'other'] })
  assertCount(`media.${kind}`, tokens ?? 0)
}

function priceOfCall(call: ModelCall): ModelPrice | null {
  if (call.price !== undefined) return call.price
  assertModel(call, 'Model call', ['model', 'price'])
  return priceOfModel(call, ['estimate', 'tokens-only'])
}
