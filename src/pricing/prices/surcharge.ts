import type { PriceFactor } from './model-price.ts'

// Published at platform.claude.com (fast mode): twice the list price from Claude Opus 4.8, six times before.
const TWICE = /opus-(?:4-8|[5-9])/
const FAST = { dear: 6, cheap: 2 } as const

/** The modes that a request to Anthropic can select. */
export interface AnthropicModes {
  readonly speed?: unknown
  readonly inferenceGeo?: unknown
}

/**
 * The highest price factor of the mode and region in a request to Anthropic; `null` for none. A service tier only
 * chooses between prepaid capacity and the list price.
 */
export function anthropicSurcharge(model: string, { speed, inferenceGeo }: AnthropicModes): PriceFactor | null {
  const isFast = (speed ?? 'standard') !== 'standard'
  const fast = isFast ? (TWICE.test(model) ? FAST.cheap : FAST.dear) : 1
  // Published with data residency: inference in a single region costs 1.1 times the list price.
  const isRegional = typeof inferenceGeo === 'string' && inferenceGeo !== 'global'
  if (isRegional) return { numerator: fast * 11, denominator: 10 }
  return fast === 1 ? null : { numerator: fast, denominator: 1 }
}

// Published at openai.com/api-priority-processing: the ratio of the priority price to the standard price, the same for
// input, cached input and output. The first match counts.
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
// No published price: assumed to be as expensive as the most expensive mode of any provider.
const ULTRAFAST: PriceFactor = { numerator: 6, denominator: 1 }

// Tiers that an answer may report without a request for them. Other providers have their own names for the standard
// tier.
const DEAR_TIERS: ReadonlySet<unknown> = new Set(['priority', 'fast', 'ultrafast'])

/** The price factor of the tier that an answer from OpenAI was served at; `null` for none. */
export function openAiServedSurcharge(model: string, serviceTier: unknown): PriceFactor | null {
  return DEAR_TIERS.has(serviceTier) ? openAiSurcharge(model, serviceTier) : null
}

/** The same for the speed and region that an answer from Anthropic reports in its usage. */
export function anthropicServedSurcharge(model: string, { speed, inferenceGeo }: AnthropicModes): PriceFactor | null {
  const isRegion = typeof inferenceGeo === 'string' && /^[a-z]{2}$/.test(inferenceGeo)
  return anthropicSurcharge(model, {
    speed: speed === 'fast' ? speed : undefined,
    inferenceGeo: isRegion ? inferenceGeo : undefined,
  })
}

/** The larger of two factors; `undefined` if there is none. */
export function dearerFactor(
  left: PriceFactor | null | undefined,
  right: PriceFactor | null | undefined,
): PriceFactor | undefined {
  if (!left || !right) return left ?? right ?? undefined
  return left.numerator * right.denominator >= right.numerator * left.denominator ? left : right
}

const PLAIN_TIERS: ReadonlySet<unknown> = new Set([undefined, null, 'auto', 'default', 'standard', 'flex', 'batch'])

/**
 * The highest price factor of the tier in a request to OpenAI; `null` for none. The cheaper `flex` is charged like the
 * standard tier, because the answer may be served at another tier. Unknown tiers are assumed to be expensive.
 */
export function openAiSurcharge(model: string, serviceTier: unknown): PriceFactor | null {
  if (PLAIN_TIERS.has(serviceTier)) return null
  if (serviceTier === 'ultrafast') return ULTRAFAST
  const name = model.slice(model.lastIndexOf('/') + 1)
  return PRIORITY.find(([pattern]) => pattern.test(name))?.[1] ?? DEAREST
}
