import type { ModelPrice, TokenPrices } from './model-price.ts'
import { fileSearchFee } from './price-fees.ts'
import { dearestPrice } from './tiered-price.ts'

/**
 * Models that together have the highest price of each kind of token and the highest fees; a test compares the whole
 * table with them.
 */
interface Family {
  readonly names: RegExp
  readonly dearest: readonly string[]
  /** The provider of the models, if their names don't tell. */
  readonly provider?: string
}

/** The families that a name can indicate. */
export const UNKNOWN_FAMILIES: readonly Family[] = [
  { names: /claude|anthropic/, dearest: ['anthropic/claude-opus-4.7-fast', 'claude-opus-4-1'] },
  { names: /gpt|codex/, dearest: ['gpt-5.5-pro', 'gpt-4.5-preview', 'gpt-6-astra'] },
  { names: /(?:^|[/.:])o\d/, dearest: ['o1-pro'] },
  {
    names: /gemini|gemma/,
    dearest: ['gemini-pro-latest', 'gemini-4-argon', 'gemini-3.1-pro-preview', 'gemini-pro-1.5'],
  },
  // Image and speech output costs several times as much as text, so only names that indicate it are charged for it.
  {
    names: /(?:gemini|gemma).*(?:image|audio|video|voice|tts|live|embedding)/,
    dearest: ['gemini-3-pro-image-preview', 'gemini-embedding-2', 'gemini-3.1-flash-live-preview'],
  },
  { names: /grok/, dearest: ['grok-3-fast'] },
  // The only ones with a fee per request, which is most of the cost of a short call.
  { names: /sonar|perplexity|pplx/, dearest: ['perplexity/sonar-pro'] },
  {
    names: /llama|qwen|kimi|deepseek|mistral|mixtral|codestral|devstral|magistral|glm|minimax/,
    dearest: ['accounts/fireworks/routers/kimi-k3-fast', 'openrouter/qwen-max'],
    provider: 'fireworks',
  },
]

/**
 * The price to assume for a model without one: for each kind of token and each fee, the highest of the families that
 * its name indicates, or of all families if it indicates none. `find` must not include the user's prices: a free model
 * of theirs doesn't make others free.
 */
export function dearestOfFamily(
  model: string,
  find: (name: string, provider: string | undefined) => ModelPrice | null,
): ModelPrice {
  const name = typeof model === 'string' ? model.slice(0, 200).toLowerCase() : ''
  const spokenOf = UNKNOWN_FAMILIES.filter((family) => family.names.test(name))
  const families = spokenOf.length === 0 ? UNKNOWN_FAMILIES : spokenOf
  const prices = families.flatMap((family) => family.dearest.map((dearest) => find(dearest, family.provider)))
  const [first, ...others] = prices.filter((price) => price !== null)
  if (first === undefined) throw new Error('The price book lacks the models that unknown ones are charged like.')
  return combine(model, [first, ...others])
}

function combine(model: string, prices: readonly [ModelPrice, ...ModelPrice[]]): ModelPrice {
  const dearest = (kind: keyof TokenPrices) =>
    dearestPrice(prices[0][kind], ...prices.slice(1).map((price) => price[kind]))
  const matchedModel = prices.map((price) => price.matchedModel).join(', ')
  return {
    model,
    matchedModel,
    provider: null,
    origin: 'estimate',
    asOf: prices.reduce<string | null>((oldest, { asOf }) => older(oldest, asOf), null),
    input: dearest('input'),
    output: dearest('output'),
    cacheRead: dearest('cacheRead'),
    cacheWrite: dearest('cacheWrite'),
    cacheWrite1h: dearest('cacheWrite1h'),
    reasoning: dearest('reasoning'),
    cacheWrites: prices.every((price) => price.cacheWrites === 'marked') ? 'marked' : 'automatic',
    fees: {
      requestNanoUsd: Math.max(...prices.map((price) => price.fees.requestNanoUsd)),
      webSearchNanoUsd: Math.max(...prices.map((price) => price.fees.webSearchNanoUsd)),
      fileSearchNanoUsd: Math.max(...prices.map(({ fees }) => fileSearchFee(fees))),
    },
    // The values of those models say nothing about this one.
    contextWindow: null,
    maxOutputTokens: null,
    note: `This model has no known price: each kind of token and each fee is charged like the most expensive of ${matchedModel}.`,
  }
}

function older(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right
  return left < right ? left : right
}
