import { type PriceUnit, picoUsdPerToken } from '../pico-usd.ts'
import { InvalidPriceError } from './invalid-price-error.ts'

// Pico-USD per token; 1,000,000 are $1 per million tokens.
const MOST_PICO_USD = 10_000_000_000
// The cheapest model on any price list costs $0.005 per million tokens, the cheapest cached read $0.002.
const LEAST_PICO_USD = 5_000
const LEAST_CACHED_PICO_USD = 500
const DOLLARS = /^\$?\s*(\d{1,6}(?:\.\d{1,12})?)$/
const VALID_FORM = 'USD per million tokens, e.g. 3 or "$3.75" (0 for a model that is free), or per 1,000 with per: "1K"'

export interface FigureContext {
  readonly place: string
  readonly unit: PriceUnit
  /** Whether the user wrote the unit, so that a price that looks too small is intended. */
  readonly isUnitWritten: boolean
  /** Cached tokens may be much cheaper than others. */
  readonly isCached: boolean
}

/** A written price in pico-USD per token. Throws `InvalidPriceError` for anything else. */
export function parsePriceFigure(value: unknown, context: FigureContext): number {
  const { place, unit, isUnitWritten, isCached } = context
  const refuse = (reason: string, suggestion: string | null = null) =>
    new InvalidPriceError({ place, value, reason, validForm: VALID_FORM, suggestion })

  const usd = usdFromValue(value)
  if (usd === null) throw refuse('is not a price')
  if (usd < 0) throw refuse('is negative')
  const picoUsd = picoUsdPerToken(usd, unit)
  if (picoUsd > MOST_PICO_USD) throw refuse('is more than $10,000 per million tokens')
  if (usd === 0) return 0
  if (picoUsd < LEAST_CACHED_PICO_USD) {
    throw refuse('is so small that it must be a price per token', `${plainNumber(usd * 1_000_000)} per million tokens`)
  }
  if (picoUsd < LEAST_PICO_USD && !isCached && !isUnitWritten) {
    const perMillion = plainNumber(usd * 1000)
    throw refuse(
      'is so small that it must be a price per 1,000 tokens',
      `per: "1K", or ${perMillion} per million tokens (if it is correct, add per: "1M")`,
    )
  }
  return picoUsd
}

function usdFromValue(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string') return null
  const digits = DOLLARS.exec(value.trim())?.[1]
  return digits === undefined ? null : Number(digits)
}

function plainNumber(value: number): string {
  return String(Number(value.toPrecision(12)))
}
