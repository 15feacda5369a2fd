export { amountsFromUsage, type Phase, type UsageCost } from './amounts-from-usage.ts'
export { assertUsage } from './assert-usage.ts'
export type { CacheMark } from './cache-mark.ts'
export { type ClampDecision, type ClampQuestion, clampOutput } from './clamp-output.ts'
export { type CostExtras, costOf } from './cost-of.ts'
export { decideUnpriced, type UnpricedDecision, type UnpricedQuestion } from './decide-unpriced.ts'
export { type ElasticCall, elasticCall } from './elastic-call.ts'
export { type CostQuestion, estimateCost } from './estimate-cost.ts'
export { estimateInput, estimateInputInSteps, type InputQuestion } from './estimate-input.ts'
export { type EstimateMode, estimateTokens } from './estimate-tokens.ts'
export { fitThinking, type ThinkingFit } from './fit-thinking.ts'
export { type CallProblem, InvalidCallError } from './invalid-call-error.ts'
export { InvalidPriceError } from './invalid-price-error.ts'
export { InvalidUsageError } from './invalid-usage-error.ts'
export { MEDIA_KINDS, type MediaCounts, type MediaKind } from './media/media-kind.ts'
export type { KindPrices, MediaPrices } from './media/media-prices.ts'
export { addMediaCounts, type MediaQuantities, mediaCounts, promptWithMedia } from './media/media-quantities.ts'
export { type Inflate, isPdf, pdfPages } from './media/pdf-pages.ts'
export { recordingSeconds } from './media/recording-seconds.ts'
export { type ModelCall, SMALLEST_THINKING } from './model-call.ts'
export type { ModelPrice, PriceFactor, PriceFees, PriceOrigin, TokenPrices } from './model-price.ts'
export { scalePrice } from './model-price.ts'
export { OUTPUT_WORTH_WAITING_FOR, SMALLEST_ANSWER } from './output-floor.ts'
export { type ParsePricesOptions, parsePrices } from './parse-prices.ts'
export {
  createPriceBook,
  DEFAULT_PRICE_BOOK,
  type PriceBook,
  type PriceBookOptions,
  type PriceQuery,
} from './price-book.ts'
export type { PriceEntry, PriceList } from './price-entry.ts'
export { type FeeCounts, fileSearchFee } from './price-fees.ts'
export type { PriceQuestion } from './price-of-model.ts'
export { readAgain, TOKENS_OF_RESULT } from './read-again.ts'
export type { ReadUsageOptions } from './read-usage.ts'
export { smallestCall } from './smallest-call.ts'
export { SUPPLEMENT, type SupplementPrice } from './supplement.ts'
export {
  type AnthropicModes,
  anthropicServedSurcharge,
  anthropicSurcharge,
  dearerFactor,
  openAiServedSurcharge,
  openAiSurcharge,
} from './surcharge.ts'
export { TABLE_DATE, TABLE_VERSION } from './table-price.ts'
export type { PriceTier, TieredPrice } from './tiered-price.ts'
export { type ToolsOfPrompt, toolPromptTokens } from './tool-prompt.ts'
export { UNKNOWN_MODELS, type UnknownModels } from './unknown-models.ts'
export { UnpricedModelError, type UnpricedProblem } from './unpriced-model-error.ts'
export { completeUsage, promptTokens, type Usage } from './usage.ts'
export {
  type ReadSource,
  usageFromAiSdk,
  usageFromAnthropic,
  usageFromCodex,
  usageFromGemini,
  usageFromLangChain,
  usageFromOpenAiAgents,
  usageFromOpenAiChat,
  usageFromOpenAiResponses,
  usageFromOpenCode,
  usageFromPi,
} from './usage-from.ts'
export type { UsageAnomaly, UsageReading } from './usage-reading.ts'
export { amountsAtOutput, worstCase } from './worst-case.ts'
