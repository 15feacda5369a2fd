import type { PriceFactor } from './model-price.ts'

// Published at platform.claude.com (fast mode): twice the list price from Claude Opus 4.8 on, six times before.
const TWICE = /opus-(?:4-8|[5-9])/
const FAST = { dear: 6, cheap: 2 } as const

/** What a request to Anthropic asks for beside a model. */
export interface AnthropicModes {
  readonly speed?: unknown
  readonly inferenceGeo?: unknown
}

/**
 * What the mode and the region that a request to Anthropic asks for multiply its price by at most; `null` for nothing. A
 * service tier only chooses between capacity that was paid for beforehand and the list price.
 */
export function anthropicSurcharge(model: string, { speed, inferenceGeo }: AnthropicModes): PriceFactor | null {
  const isFast = (speed ?? 'standard') !== 'standard'
  const fast = isFast ? (TWICE.test(model) ? FAST.cheap : FAST.dear) : 1
  // Published with data residency: inference in one region alone costs 1.1 times the list price.
  const isRegional = typeof inferenceGeo === 'string' && inferenceGeo !== 'global'
  if (isRegional) return { numerator: fast * 11, denominator: 10 }
  return fast === 1 ? null : { numerator: fast, denominator: 1 }
}

// Published at openai.com/api-priority-processing: the price of the priority tier over the plain one, the same for
// input, cached input and output. The first name that fits counts.
const PRIORITY: readonly (readonly [model: RegExp, factor: PriceFactor])[] = [
  [/^gpt-5\.5/, { numerator: 5, denominator: 2 }],
  [/^gpt-5-mini/, { numerator: 9, denominator: 5 }],
  [/^gpt-5/, { numerator: 2, denominator: 1 }],
  [/^(gpt-4\.1|o3)/, { numerator: 7, denominator: 4 }],
  [/^gpt-4o-mini/, { numerator: 5, denominator: 3 }],
  [/^gpt-4o/, { numerator: 17, denominator: 10 }],
  [/^o4-mini/, { numerator: 20, denominator: 11 }],
]
const DEAREST: PriceFactor = { numerator: 5, denominator: 2 }
// Nobody has published one for it: as dear as the dearest mode of anybody.
const ULTRAFAST: PriceFactor = { numerator: 6, denominator: 1 }

// What an answer may name without the request having asked for it. Others have words of their own for their plain tier.
const DEAR_TIERS: ReadonlySet<unknown> = new Set(['priority', 'fast', 'ultrafast'])

/** What the tier that an answer of OpenAI was served at multiplies its price by; `null` for nothing. */
export function openAiServedSurcharge(model: string, serviceTier: unknown): PriceFactor | null {
  return DEAR_TIERS.has(serviceTier) ? openAiSurcharge(model, serviceTier) : null
}

/** The same for what an answer of Anthropic says of its speed and region, in the words of its usage. */
export function anthropicServedSurcharge(model: string, { speed, inferenceGeo }: AnthropicModes): PriceFactor | null {
  const isRegion = typeof inferenceGeo === 'string' && /^[a-z]{2}$/.test(inferenceGeo)
  return anthropicSurcharge(model, {
    speed: speed === 'fast' ? speed : undefined,
    inferenceGeo: isRegion ? inferenceGeo : undefined,
  })
}

/** The larger of two factors; `undefined` where there is none. */
export function dearerFactor(
  left: PriceFactor | null | undefined,
  right: PriceFactor | null | undefined,
): PriceFactor | undefined {
  if (!left || !right) return left ?? right ?? undefined
  return left.numerator * right.denominator >= right.numerator * left.denominator ? left : right
}

const PLAIN_TIERS: ReadonlySet<unknown> = new Set([undefined, null, 'auto', 'default', 'standard', 'flex', 'batch'])

/**
 * What the tier that a request to OpenAI asks for multiplies its price by at most; `null` for nothing. The cheaper
 * `flex` is charged like the plain one: the answer may be served at another tier than was asked for. A tier that is not
 * known is taken for a dear one.
 */
export function openAiSurcharge(model: string, serviceTier: unknown): PriceFactor | null {
  if (PLAIN_TIERS.has(serviceTier)) return null
  if (serviceTier === 'ultrafast') return ULTRAFAST
  const name = model.slice(model.lastIndexOf('/') + 1)
  return PRIORITY.find(([pattern]) => pattern.test(name))?.[1] ?? DEAREST
}
