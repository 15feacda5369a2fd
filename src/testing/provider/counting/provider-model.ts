/** A model of the provider. Its numbers are independent of our price tables. */
export interface ProviderModel {
  readonly price: ProviderPrice
  readonly maxOutputTokens: number
  readonly contextWindow: number
  /** For a reasoning model: the tokens that it thinks before each answer, unless the script says otherwise. Default: 0. */
  readonly reasoningTokens?: number
}

/** In pico-USD per token, which is USD per million tokens times 10^6. All whole numbers. */
export interface ProviderPrice {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly cacheWrite1h: number
  readonly webSearchNanoUsd: number
  /** All prices are multiplied by this for prompts with more tokens. */
  readonly longPrompt?: {
    readonly aboveTokens: number
    readonly input: number
    readonly output: number
    readonly cacheRead: number
    readonly cacheWrite: number
    readonly cacheWrite1h: number
  }
}

const WEB_SEARCH = { webSearchNanoUsd: 10_000_000 }

// Anthropic's rule: a cache read costs a tenth of the input price, a write 1.25 times, a one-hour write twice as much.
function claude(input: number, output: number) {
  return { input, output, cacheRead: input / 10, cacheWrite: (input * 5) / 4, cacheWrite1h: input * 2 }
}

function gpt(input: number, output: number, cacheRead: number): ProviderPrice {
  return { input, output, cacheRead, cacheWrite: input, cacheWrite1h: input, ...WEB_SEARCH }
}

const CLAUDE = { contextWindow: 200_000, maxOutputTokens: 64_000 }
const GPT_5 = { contextWindow: 400_000, maxOutputTokens: 128_000, reasoningTokens: 64 }
const GPT_4_1 = { contextWindow: 1_047_576, maxOutputTokens: 32_768 }

/** The default models. */
export const USUAL_MODELS: Readonly<Record<string, ProviderModel>> = {
  'claude-sonnet-4-5': {
    ...CLAUDE,
    price: {
      ...claude(3_000_000, 15_000_000),
      ...WEB_SEARCH,
      longPrompt: { aboveTokens: 200_000, ...claude(6_000_000, 22_500_000) },
    },
  },
  'claude-haiku-4-5': { ...CLAUDE, price: { ...claude(1_000_000, 5_000_000), ...WEB_SEARCH } },
  'claude-opus-4-5': { ...CLAUDE, price: { ...claude(5_000_000, 25_000_000), ...WEB_SEARCH } },
  'claude-haiku-5-5': {
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    price: {
      ...claude(100_000, 500_000),
      ...WEB_SEARCH,
      longPrompt: { aboveTokens: 100_000, ...claude(500_000, 2_500_000) },
    },
  },
  'gpt-5': { ...GPT_5, price: gpt(1_250_000, 10_000_000, 125_000) },
  'gpt-5-codex': { ...GPT_5, price: gpt(1_250_000, 10_000_000, 125_000) },
  'gpt-5-mini': { ...GPT_5, price: gpt(250_000, 2_000_000, 25_000) },
  'gpt-5.4-nano': { ...GPT_5, price: gpt(200_000, 1_250_000, 20_000) },
  'gpt-4.1': { ...GPT_4_1, price: gpt(2_000_000, 8_000_000, 500_000) },
  'gpt-4.1-mini': { ...GPT_4_1, price: gpt(400_000, 1_600_000, 100_000) },
  'gpt-4o-mini': { contextWindow: 128_000, maxOutputTokens: 16_384, price: gpt(150_000, 600_000, 75_000) },
}

/** The capabilities of a model with an unknown name. */
export const UNKNOWN_MODEL = { contextWindow: 200_000, maxOutputTokens: 64_000 }
