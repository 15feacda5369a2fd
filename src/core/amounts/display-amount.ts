import { METERS, type Meter } from '../meter.ts'
import { NANO_USD_PER_USD } from './amounts.ts'
import { formatUsd } from './format-amount.ts'

/** `up` for amounts used or requested, `down` for amounts left: a rounded figure never promises more than there is. */
export type Rounding = 'nearest' | 'up' | 'down'

const ROUND: Readonly<Record<Rounding, (value: number) => number>> = {
  nearest: Math.round,
  up: Math.ceil,
  down: Math.floor,
}

/** Formats an amount for people: `$0.83`, `412k`, `9m 49s`. JSON output has the exact amount. */
export function displayAmount(meter: Meter, amount: number, rounding: Rounding = 'nearest'): string {
  const { unit } = METERS[meter]
  const round = ROUND[rounding]
  if (unit === 'nanoUsd') return displayUsd(amount, round)
  if (unit === 'milliseconds') return displayDuration(amount, round)
  return unit === 'tokens' ? displayTokens(amount, round) : withSeparators(amount)
}

/** The smallest amount, at or above this one, that `displayAmount` shows without rounding. */
export function roundUpAsShown(meter: Meter, amount: number): number {
  const { unit } = METERS[meter]
  const stepOf = { nanoUsd: usdStep, milliseconds: durationStep, tokens: tokenStep, count: () => 1 }[unit]
  const step = stepOf(amount)
  return Math.ceil(amount / step) * step
}

const TEN_CENTS = NANO_USD_PER_USD / 10

/** Whole cents; below ten cents, two significant digits: `$12.40`, `$0.83`, `$0.0095`. */
function displayUsd(nanoUsd: number, round: (value: number) => number): string {
  const step = usdStep(nanoUsd)
  return formatUsd(round(nanoUsd / step) * step)
}

function usdStep(nanoUsd: number): number {
  return nanoUsd >= TEN_CENTS ? TEN_CENTS / 10 : Math.max(1, 10 ** (String(nanoUsd).length - 2))
}

const TOKEN_UNITS = [
  ['b', 1_000_000_000],
  ['m', 1_000_000],
  ['k', 1_000],
] as const
const SHORTENED_FROM = 10_000
const DIGITS = 3

/** Three significant digits from ten thousand: `53.6k`, `412k`, `1.25m`. */
function displayTokens(tokens: number, round: (value: number) => number): string {
  if (tokens < SHORTENED_FROM) return withSeparators(tokens)
  const step = tokenStep(tokens)
  const rounded = round(tokens / step) * step
  const [suffix, size] = TOKEN_UNITS.find(([, least]) => rounded >= least)!
  return `${rounded / size}${suffix}`
}

function tokenStep(tokens: number): number {
  return tokens < SHORTENED_FROM ? 1 : 10 ** (String(tokens).length - DIGITS)
}

const TIME_UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** The two largest units: `9m 49s`, `1h 30m`; below a second, milliseconds. */
function displayDuration(milliseconds: number, round: (value: number) => number): string {
  if (milliseconds < 1_000) return `${milliseconds}ms`
  // Rounding can reach the next larger unit (59.6 s is 1m), so the units are chosen afterwards.
  const smallest = durationStep(milliseconds)
  let rest = round(milliseconds / smallest) * smallest
  const parts: string[] = []
  for (const [name, size] of TIME_UNITS) {
    const count = Math.floor(rest / size)
    if (count > 0) parts.push(`${count}${name}`)
    rest -= count * size
  }
  return parts.join(' ')
}

function durationStep(milliseconds: number): number {
  const fitting = TIME_UNITS.findIndex(([, size]) => milliseconds >= size)
  return fitting === -1 ? 1 : TIME_UNITS[Math.min(fitting + 1, TIME_UNITS.length - 1)]![1]
}

function withSeparators(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ',')
}
