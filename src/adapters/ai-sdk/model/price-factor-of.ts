import type { PriceFactor } from '../../../pricing/index.ts'
import type { CallOptions } from './language-model.ts'

// The most that any model of a provider costs above its listed price, by the option that asks for it.
const FACTORS: readonly (readonly [provider: string, option: string, value: string, factor: PriceFactor])[] = [
  ['anthropic', 'speed', 'fast', { numerator: 6, denominator: 1 }],
  ['anthropic', 'inferenceGeo', 'us', { numerator: 11, denominator: 10 }],
  ['openai', 'serviceTier', 'priority', { numerator: 5, denominator: 2 }],
  ['openai', 'serviceTier', 'fast', { numerator: 5, denominator: 2 }],
  // Nobody has published one: the dearest of those above.
  ['openai', 'serviceTier', 'ultrafast', { numerator: 6, denominator: 1 }],
]

/** What the options of a request multiply its price by; `null` where they do not. */
export function priceFactorOf({ providerOptions }: CallOptions): PriceFactor | null {
  const factors = FACTORS.filter(([provider, option, value]) => providerOptions?.[provider]?.[option] === value)
  if (factors.length === 0) return null
  return factors.reduce(
    (product, [, , , { numerator, denominator }]) => ({
      numerator: product.numerator * numerator,
      denominator: product.denominator * denominator,
    }),
    { numerator: 1, denominator: 1 },
  )
}
