import type { PriceFactor } from '../../../pricing/index.ts'

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

const PLAIN_TIERS: ReadonlySet<unknown> = new Set([undefined, null, 'auto', 'default', 'standard', 'flex', 'batch'])

/**
 * What the tier that a request asks for multiplies its price by at most. The cheaper `flex` is charged like the plain
 * one: the answer may be served at another tier than was asked for. A tier that is not known is taken for a dear one.
 */
export function priceFactorOf(model: string, serviceTier: unknown): PriceFactor | null {
  if (PLAIN_TIERS.has(serviceTier)) return null
  const name = model.slice(model.lastIndexOf('/') + 1)
  return PRIORITY.find(([pattern]) => pattern.test(name))?.[1] ?? DEAREST
}
