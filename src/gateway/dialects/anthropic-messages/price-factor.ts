import type { PriceFactor } from '../../../pricing/index.ts'
import type { JsonObject } from '../request/json-value.ts'

// Published at platform.claude.com (fast mode): twice the list price from Claude Opus 4.8 on, six times before.
const TWICE = /opus-(?:4-8|[5-9])/
const FAST = { dear: 6, cheap: 2 } as const

/**
 * What the mode and the region that a request asks for multiply its price by at most. A service tier only chooses
 * between capacity that was paid for beforehand and the list price.
 */
export function priceFactorOf({ model, speed, inference_geo }: JsonObject): PriceFactor | null {
  const isFast = (speed ?? 'standard') !== 'standard'
  const fast = isFast ? (TWICE.test(String(model)) ? FAST.cheap : FAST.dear) : 1
  // Published with data residency: inference in one region alone costs 1.1 times the list price.
  const isRegional = typeof inference_geo === 'string' && inference_geo !== 'global'
  if (isRegional) return { numerator: fast * 11, denominator: 10 }
  return fast === 1 ? null : { numerator: fast, denominator: 1 }
}
