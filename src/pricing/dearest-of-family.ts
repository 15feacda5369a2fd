import type { ModelPrice, TokenPrices } from './model-price.ts'
import { fileSearchFee } from './price-fees.ts'
import { dearestPrice } from './tiered-price.ts'

/** Models that together have the dearest price of each kind of token and the dearest fees; a test holds the whole table against them. */
interface Family {
  readonly names: RegExp
  readonly dearest: readonly string[]
  /** Whose models they are, where the names do not say so. */
  readonly provider?: string
}

/** The families that a name can speak of. */
export const UNKNOWN_FAMILIES: readonly Family[] = [
  { names: /claude|anthropic/, dearest: ['anthropic/claude-opus-4.7-fast', 'claude-opus-4-1'] },
  { names: /gpt|codex/, dearest: ['gpt-5.5-pro', 'gpt-4.5-preview', 'gpt-6-astra'] },
  { names: /(?:^|[/.:])o\d/, dearest: ['o1-pro'] },
  {
    names: /gemini|gemma/,
    dearest: ['gemini-pro-latest', 'gemini-4-argon', 'gemini-3.1-pro-preview', 'gemini-pro-1.5'],
  },
  // Drawing and speaking cost several times as much as writing, so only names that speak of it are charged for it.
  {
    names: /(?:gemini|gemma).*(?:image|audio|video|voice|tts|live|embedding)/,
    dearest: ['gemini-3-pro-image-preview', 'gemini-embedding-2', 'gemini-3.1-flash-live-preview'],
  },
  { names: /grok/, dearest: ['grok-3-fast'] },
  // The only ones with a fee for each request, which is most of what a short call costs.
  { names: /sonar|perplexity|pplx/, dearest: ['perplexity/sonar-pro'] },
  {
    names: /llama|qwen|kimi|deepseek|mistral|mixtral|codestral|devstral|magistral|glm|minimax/,
    dearest: ['accounts/fireworks/routers/kimi-k3-fast', 'openrouter/qwen-max'],
    provider: 'fireworks',
  },
]

/**
 * The price to assume for a model without one: for each kind of token and each fee the dearest of the families that
 * its name speaks of, of all families if of none. `find` must not know the user's prices: a free model of theirs makes no other free.
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
  if (first === undefined) throw new Error('The price book has lost the models that stand for unknown ones.')
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
    // Those of the dearest models say nothing about this one.
    contextWindow: null,
    maxOutputTokens: null,
    note: `No price is known for this model: each kind of token and each fee is charged like the dearest of ${matchedModel}.`,
  }
}

function older(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right
  return left < right ? left : right
}
