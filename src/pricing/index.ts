export type { CacheMark } from './call/cache-mark.ts'
export { type ClampDecision, type ClampQuestion, clampOutput } from './call/clamp-output.ts'
export { type ElasticCall, elasticCall } from './call/elastic-call.ts'
export { fitThinking, type ThinkingFit } from './call/fit-thinking.ts'
export { type CallProblem, InvalidCallError } from './call/invalid-call-error.ts'
export { type ModelCall, SMALLEST_THINKING } from './call/model-call.ts'
export { OUTPUT_WORTH_WAITING_FOR, SMALLEST_ANSWER } from './call/output-floor.ts'
export { readAgain, TOKENS_OF_RESULT } from './call/read-again.ts'
export { smallestCall } from './call/smallest-call.ts'
export { amountsAtOutput, worstCase } from './call/worst-case.ts'
export { estimateInput, estimateInputInSteps, type InputQuestion } from './estimate/estimate-input.ts'
export { type EstimateMode, estimateTokens } from './estimate/estimate-tokens.ts'
export { MEDIA_KINDS, type MediaCounts, type MediaKind } from './estimate/media/media-kind.ts'
export type { KindPrices, MediaPrices } from './estimate/media/media-prices.ts'
export {
  addMediaCounts,
  type MediaQuantities,
  mediaCounts,
  promptWithMedia,
} from './estimate/media/media-quantities.ts'
export { type Inflate, isPdf, pdfPages } from './estimate/media/pdf-pages.ts'
export { recordingSeconds } from './estimate/media/recording-seconds.ts'
export { type ToolsOfPrompt, toolPromptTokens } from './estimate/tool-prompt.ts'
export { decideUnpriced, type UnpricedDecision, type UnpricedQuestion } from './prices/decide-unpriced.ts'
export type { ModelPrice, PriceFactor, PriceFees, PriceOrigin, TokenPrices } from './prices/model-price.ts'
export { describePrice, scalePrice } from './prices/model-price.ts'
export { InvalidPriceError } from './prices/overrides/invalid-price-error.ts'
export { parsePrices } from './prices/overrides/parse-prices.ts'
export type { PriceEntry, PriceList } from './prices/overrides/price-entry.ts'
export {
  createPriceBook,
  DEFAULT_PRICE_BOOK,
  type PriceBook,
  type PriceBookOptions,
  type PriceQuery,
} from './prices/price-book.ts'
export { type FeeCounts, fileSearchFee } from './prices/price-fees.ts'
export { SUPPLEMENT, type SupplementPrice } from './prices/supplement.ts'
export {
  type AnthropicModes,
  anthropicServedSurcharge,
  anthropicSurcharge,
  dearerFactor,
  openAiServedSurcharge,
  openAiSurcharge,
} from './prices/surcharge.ts'
export { TABLE_DATE, TABLE_VERSION } from './prices/table-price.ts'
export type { PriceTier, TieredPrice } from './prices/tiered-price.ts'
export { UNKNOWN_MODELS, type UnknownModels } from './prices/unknown-models.ts'
export { UnpricedModelError } from './prices/unpriced-model-error.ts'
export { amountsFromUsage, type Phase, type UsageCost } from './usage/amounts-from-usage.ts'
export { assertUsage } from './usage/assert-usage.ts'
export { type CostExtras, costOf } from './usage/cost-of.ts'
export { type CostQuestion, estimateCost } from './usage/estimate-cost.ts'
export { InvalidUsageError } from './usage/invalid-usage-error.ts'
export type { ReadUsageOptions } from './usage/read-usage.ts'
export { completeUsage, promptTokens, type Usage } from './usage/usage.ts'
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
} from './usage/usage-from.ts'
export type { UsageAnomaly, UsageReading } from './usage/usage-reading.ts'
