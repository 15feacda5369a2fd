import { type ReadUsageOptions, readUsage } from './read-usage.ts'
import type { UsageReading } from './usage-reading.ts'
import type { KindPaths, UsageShape } from './usage-shape.ts'

/** OpenAI's media fields inside the details of a count. */
const inDetails = (...details: readonly string[]): KindPaths => ({
  audio: details.map((detail) => `${detail}.audio_tokens`),
  image: details.map((detail) => `${detail}.image_tokens`),
  video: details.map((detail) => `${detail}.video_tokens`),
})

/** Gemini's: a list with one entry per kind. */
const inModalities = (...lists: readonly string[]): KindPaths => ({
  audio: lists.map((list) => `${list}[modality=AUDIO].tokenCount`),
  image: lists.map((list) => `${list}[modality=IMAGE].tokenCount`),
  video: lists.map((list) => `${list}[modality=VIDEO].tokenCount`),
})

/** For sources that pass on their provider's usage, in any provider's format. */
const joined = (...all: readonly KindPaths[]): KindPaths => ({
  audio: all.flatMap(({ audio = [] }) => audio),
  image: all.flatMap(({ image = [] }) => image),
  video: all.flatMap(({ video = [] }) => video),
})

export type ReadSource = (usage: unknown, options?: ReadUsageOptions) => UsageReading

const reader =
  (shape: UsageShape): ReadSource =>
  (usage, options) =>
    readUsage(usage, shape, options)

/** The `usage` of an Anthropic message, and of Claude Code. In a stream the last count wins: merge before reading. */
export const usageFromAnthropic = reader({
  input: ['input_tokens'],
  inputContainsCache: false,
  output: ['output_tokens'],
  outputContainsReasoning: true,
  cacheRead: ['cache_read_input_tokens'],
  cacheWrite: ['cache_creation_input_tokens'],
  cacheWrite5m: ['cache_creation.ephemeral_5m_input_tokens'],
  cacheWrite1h: ['cache_creation.ephemeral_1h_input_tokens'],
})

/**
 * The `usage` of OpenAI's chat completions and compatible APIs: DeepSeek, and xAI, whose reasoning comes on top of the
 * completion, as only its total shows.
 */
export const usageFromOpenAiChat = reader({
  input: ['prompt_tokens'],
  inputContainsCache: true,
  output: ['completion_tokens'],
  outputContainsReasoning: true,
  cacheRead: ['prompt_tokens_details.cached_tokens', 'prompt_cache_hit_tokens'],
  cacheWrite: ['prompt_tokens_details.cache_write_tokens'],
  reasoning: ['completion_tokens_details.reasoning_tokens'],
  inputKinds: inDetails('prompt_tokens_details'),
  cacheReadKinds: inDetails('prompt_tokens_details.cached_tokens_details'),
  outputKinds: inDetails('completion_tokens_details'),
  total: ['total_tokens'],
})

/** The `usage` of OpenAI's responses. */
export const usageFromOpenAiResponses = reader({
  input: ['input_tokens'],
  inputContainsCache: true,
  output: ['output_tokens'],
  outputContainsReasoning: true,
  cacheRead: ['input_tokens_details.cached_tokens'],
  cacheWrite: ['input_tokens_details.cache_write_tokens'],
  reasoning: ['output_tokens_details.reasoning_tokens'],
  inputKinds: inDetails('input_tokens_details'),
  cacheReadKinds: inDetails('input_tokens_details.cached_tokens_details'),
  outputKinds: inDetails('output_tokens_details'),
  total: ['total_tokens'],
})

/** Gemini's `usageMetadata`: thoughts come on top of the candidates, and counts of zero are left out. */
export const usageFromGemini = reader({
  input: ['promptTokenCount'],
  inputContainsCache: true,
  extraInput: ['toolUsePromptTokenCount'],
  output: ['candidatesTokenCount'],
  outputMayBeMissing: true,
  outputContainsReasoning: false,
  cacheRead: ['cachedContentTokenCount'],
  reasoning: ['thoughtsTokenCount'],
  inputKinds: inModalities('promptTokensDetails'),
  cacheReadKinds: inModalities('cacheTokensDetails'),
  outputKinds: inModalities('candidatesTokensDetails'),
  total: ['totalTokenCount'],
})

/**
 * The `usage` of the AI SDK: nested in a model's answer (version 6 and later), flat in results and earlier versions.
 */
export const usageFromAiSdk: ReadSource = (usage, options) =>
  readUsage(usage, isNested(usage) ? AI_SDK_NESTED : AI_SDK_FLAT, options)

// `raw` is the provider's own usage, if the AI SDK passes it on.
const AI_SDK_KINDS = {
  inputKinds: joined(
    inDetails('raw.prompt_tokens_details', 'raw.input_tokens_details'),
    inModalities('raw.promptTokensDetails'),
  ),
  cacheReadKinds: inModalities('raw.cacheTokensDetails'),
  outputKinds: joined(
    inDetails('raw.completion_tokens_details', 'raw.output_tokens_details'),
    inModalities('raw.candidatesTokensDetails'),
  ),
} as const satisfies Partial<UsageShape>

const AI_SDK_NESTED: UsageShape = {
  ...AI_SDK_KINDS,
  input: ['inputTokens.total'],
  inputContainsCache: true,
  output: ['outputTokens.total'],
  outputContainsReasoning: true,
  cacheRead: ['inputTokens.cacheRead'],
  cacheWrite: ['inputTokens.cacheWrite'],
  reasoning: ['outputTokens.reasoning'],
}

const AI_SDK_FLAT: UsageShape = {
  ...AI_SDK_KINDS,
  input: ['inputTokens'],
  inputContainsCache: true,
  output: ['outputTokens'],
  outputContainsReasoning: true,
  cacheRead: ['inputTokenDetails.cacheReadTokens', 'cachedInputTokens'],
  cacheWrite: ['inputTokenDetails.cacheWriteTokens'],
  reasoning: ['outputTokenDetails.reasoningTokens', 'reasoningTokens'],
  total: ['totalTokens'],
}

function isNested(usage: unknown): boolean {
  const input = typeof usage === 'object' && usage !== null && 'inputTokens' in usage ? usage.inputTokens : undefined
  return typeof input === 'object' && input !== null
}

/** The `usage` of the OpenAI Agents SDK, whose details are lists with one entry per request. */
export const usageFromOpenAiAgents = reader({
  input: ['inputTokens'],
  inputContainsCache: true,
  output: ['outputTokens'],
  outputContainsReasoning: true,
  cacheRead: ['inputTokensDetails.cached_tokens'],
  cacheWrite: ['inputTokensDetails.cache_write_tokens'],
  reasoning: ['outputTokensDetails.reasoning_tokens'],
  total: ['totalTokens'],
})

/** LangChain's `usage_metadata`. */
export const usageFromLangChain = reader({
  input: ['input_tokens'],
  inputContainsCache: true,
  output: ['output_tokens'],
  outputContainsReasoning: true,
  cacheRead: ['input_token_details.cache_read'],
  cacheWrite: ['input_token_details.cache_creation'],
  reasoning: ['output_token_details.reasoning'],
  total: ['total_tokens'],
})

/** The `usage` of a pi message. */
export const usageFromPi = reader({
  input: ['input'],
  inputContainsCache: false,
  output: ['output'],
  outputContainsReasoning: true,
  cacheRead: ['cacheRead'],
  cacheWrite: ['cacheWrite'],
  total: ['totalTokens'],
})

/** The `tokens` of an opencode message, whose reasoning comes on top of the output. */
export const usageFromOpenCode = reader({
  input: ['input'],
  inputContainsCache: false,
  output: ['output'],
  outputContainsReasoning: false,
  cacheRead: ['cache.read'],
  cacheWrite: ['cache.write'],
  reasoning: ['reasoning'],
})

/** The `usage` of Codex's `turn.completed`. */
export const usageFromCodex = reader({
  input: ['input_tokens'],
  inputContainsCache: true,
  output: ['output_tokens'],
  outputContainsReasoning: true,
  cacheRead: ['cached_input_tokens'],
  reasoning: ['reasoning_output_tokens'],
  total: ['total_tokens'],
})
