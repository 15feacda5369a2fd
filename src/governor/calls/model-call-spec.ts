import { optionNames } from '../../core/index.ts'
import type { ModelCallSpec } from '../call.ts'

/** The option names of a model call. */
export const MODEL_CALL_SPEC = optionNames<ModelCallSpec>({
  price: true,
  model: true,
  inputTokens: true,
  media: true,
  maxOutputTokens: true,
  choices: true,
  cacheMark: true,
  thinkingBudget: true,
  smallestThinking: true,
  phase: true,
  webSearches: true,
  fileSearches: true,
  priceFactor: true,
  provider: true,
  at: true,
  hasMedia: true,
  messages: true,
  waitMs: true,
  toolCalls: true,
  signal: true,
  comesAgain: true,
  runsOn: true,
  tellsLeft: true,
  namedBy: true,
  isAside: true,
  countedTokens: true,
  providerReading: true,
  countTokens: true,
})
