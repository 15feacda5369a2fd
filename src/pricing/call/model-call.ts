import { MEDIA_KINDS, type MediaCounts } from '../estimate/media/media-kind.ts'
import { type ModelPrice, scalePrice } from '../prices/model-price.ts'
import type { PriceBook, PriceQuery } from '../prices/price-book.ts'
import { priceOfModel } from '../prices/price-of-model.ts'
import { DEFAULT_PHASE, PHASES, type Phase } from '../usage/amounts-from-usage.ts'
import { assertCallFields } from './assert-call-fields.ts'
import { assertChoice } from './assert-choice.ts'
import { assertCount } from './assert-count.ts'
import { assertModel } from './assert-model.ts'
import { CACHE_MARKS, type CacheMark } from './cache-mark.ts'

/** The facts about a request that determine its worst case. */
export interface ModelCall extends PriceQuery {
  /**
   * The price; `null` if the model has none, and its cost isn't counted. Default: looked up by `model`. A call with
   * neither is refused.
   */
  readonly price?: ModelPrice | null | undefined
  readonly model?: string | undefined
  readonly book?: PriceBook | undefined
  /** The whole prompt, as returned by `estimateInput`. */
  readonly inputTokens: number
  /**
   * How many of them may be audio, images or video, which some models price separately: `{ audio: 1200 }`. The rest is
   * text. If left out with `hasMedia`, all of them may be of the most expensive kind.
   */
  readonly media?: Readonly<Partial<Record<'audio' | 'image' | 'video' | 'other', number>>> | undefined
  /** The output cap of the request, per choice, including thinking. */
  readonly maxOutputTokens: number
  /** How many answers are requested (`n`). */
  readonly choices?: number | undefined
  /** The longest cache lifetime in the request. Default: `none`. */
  readonly cacheMark?: 'none' | '5m' | '1h' | undefined
  readonly thinkingBudget?: number | null | undefined
  readonly smallestThinking?: number | undefined
  /** Default: `execution`. */
  readonly phase?: 'planning' | 'execution' | undefined
  /** The most web searches that the provider may run for the request. */
  readonly webSearches?: number | undefined
  /** The most searches in files stored with the provider. */
  readonly fileSearches?: number | undefined
  /** The price multiplier of a fast mode, priority tier or region. */
  readonly priceFactor?: { readonly numerator: number; readonly denominator: number } | undefined
}

/** A call with its price and every default filled in. */
export interface ResolvedCall {
  readonly price: ModelPrice | null
  readonly inputTokens: number
  readonly media: MediaCounts | undefined
  /** The requested cap, limited to the model's own maximum. */
  readonly maxOutputTokens: number
  readonly choices: number
  readonly cacheMark: CacheMark
  readonly thinkingBudget: number | null
  readonly smallestThinking: number
  readonly phase: Phase
  readonly webSearches: number
  readonly fileSearches: number
}

/** Anthropic's smallest thinking budget; pass 0 for a provider without one. */
export const SMALLEST_THINKING = 1_024

const CHOICES = { least: 1, most: 1_000 }
const FACTOR = { least: 1, most: 1_000 }

// The optional fields. A call without the others is refused anyway.
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

// Present on every call, so they are exempt from the check for misspellings.
const OTHER_FIELDS = [
  'price',
  'model',
  'inputTokens',
  'maxOutputTokens',
] as const satisfies readonly (keyof ModelCall)[]

/**
 * Resolves a call. Throws `InvalidCallError` for invalid counts and words and for misspelled fields, and
 * `UnpricedModelError` for a `model` without a price that the book refuses.
 */
export function resolveCall(call: ModelCall): ResolvedCall {
  assertCallFields(call, OPTIONAL_FIELDS, OTHER_FIELDS)
  const { priceFactor } = call
  assertCount('priceFactor.numerator', priceFactor?.numerator ?? 1, FACTOR)
  assertCount('priceFactor.denominator', priceFactor?.denominator ?? 1, FACTOR)
  const price = priceOfCall(call)
  return fillCall(call, price === null || priceFactor === undefined ? price : scalePrice(price, priceFactor))
}

/** The same for a call whose fields are checked and whose price is known. */
export function fillCall(call: Omit<ModelCall, 'price'>, price: ModelPrice | null): ResolvedCall {
  const {
    choices = 1,
    webSearches = 0,
    fileSearches = 0,
    thinkingBudget = null,
    smallestThinking = SMALLEST_THINKING,
    cacheMark = 'none',
    phase = DEFAULT_PHASE,
    media,
  } = call
  assertCount('inputTokens', call.inputTokens)
  if (media !== undefined) assertMedia(media)
  assertCount('maxOutputTokens', call.maxOutputTokens)
  assertCount('choices', choices, CHOICES)
  assertCount('webSearches', webSearches)
  assertCount('fileSearches', fileSearches)
  assertCount('thinkingBudget', thinkingBudget ?? 0)
  assertCount('smallestThinking', smallestThinking)
  assertChoice({ field: 'cacheMark', value: cacheMark, words: CACHE_MARKS })
  assertChoice({ field: 'phase', value: phase, words: PHASES })
  return {
    price,
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

function assertMedia(media: MediaCounts): void {
  for (const [kind, tokens] of Object.entries(media)) {
    assertChoice({ field: 'media', value: kind, words: [...MEDIA_KINDS, 'other'] })
    assertCount(`media.${kind}`, tokens ?? 0)
  }
}

function priceOfCall(call: ModelCall): ModelPrice | null {
  if (call.price !== undefined) return call.price
  assertModel(call, 'Model call', ['model', 'price'])
  return priceOfModel(call, ['estimate', 'tokens-only'])
}
