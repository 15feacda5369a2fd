import type { PriceUnit } from '../pico-usd.ts'
import { InvalidPriceError } from './invalid-price-error.ts'

const MOST_TOKENS = 1_000_000_000
const MOST_FEE_USD = 100
const LONGEST_TEXT = 500
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** How many tokens a price is for. Default: a million. */
export function parseUnit(value: unknown, place: string): PriceUnit {
  if (value === undefined || value === '1M') return '1M'
  if (value === '1K') return '1K'
  throw invalidField(place, value, 'is not a price unit', '"1M" (the default) or "1K"')
}

/** Whether cache writes have to be marked; `null` if absent. */
export function parseCacheWrites(value: unknown, place: string): 'marked' | 'automatic' | null {
  if (value === undefined) return null
  if (value === 'marked' || value === 'automatic') return value
  throw invalidField(place, value, 'is not a cache write mode', '"marked" or "automatic"')
}

/** A number of tokens above 0; `null` if absent. */
export function parseCount(value: unknown, place: string): number | null {
  if (value === undefined || value === null) return null
  if (Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= MOST_TOKENS) return value as number
  throw invalidField(place, value, 'is not a number of tokens', 'a whole number, e.g. 200000')
}

/** A fee in USD as nano-USD; `null` if absent. */
export function parseFee(value: unknown, place: string): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && value >= 0 && value <= MOST_FEE_USD) return Math.ceil(value * 1_000_000_000)
  throw invalidField(place, value, 'is not a fee', 'USD per search or request, from 0 to 100, e.g. 0.01')
}

/** A day as `YYYY-MM-DD`; `null` if absent. */
export function parseDay(value: unknown, place: string): string | null {
  if (value === undefined || value === null) return null
  const day = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString().slice(0, 10) : value
  if (typeof day === 'string' && DAY.test(day) && isCalendarDay(day)) return day
  throw invalidField(place, value, 'is not a day', '"2026-12-01"')
}

function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

/** A short text; `null` if absent. */
export function parseText(value: unknown, place: string): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' && value.length <= LONGEST_TEXT) return value
  throw invalidField(place, value, 'is not a short text', 'up to 500 characters')
}

export function invalidField(
  place: string,
  value: unknown,
  reason: string,
  validForm: string,
  suggestion: string | null = null,
) {
  return new InvalidPriceError({ place, value, reason, validForm, suggestion })
}
