import { NANO_USD_PER_USD } from '../../core/amounts/amounts.ts'
import { formatAmount } from '../../core/amounts/format-amount.ts'
import type { Period } from '../../core/limits/window.ts'
import { METERS, type Meter } from '../../core/meter.ts'

const CENT_NANO_USD = NANO_USD_PER_USD / 100
const SECOND_MS = 1000

/** What is left, in cents or seconds, or finer if that would round to nothing. Rounded down. */
export function showLeft(meter: Meter, amount: number): string {
  const step = stepOf(meter, amount)
  return formatAmount(meter, Math.floor(amount / step) * step)
}

/** What is used, in cents or seconds, or finer if that would round to nothing. Rounded up. */
export function showUsed(meter: Meter, amount: number): string {
  const step = stepOf(meter, amount)
  return formatAmount(meter, Math.ceil(amount / step) * step)
}

function stepOf(meter: Meter, amount: number): number {
  const { unit } = METERS[meter]
  if (unit === 'milliseconds') return amount < SECOND_MS ? 1 : SECOND_MS
  if (unit !== 'nanoUsd') return 1
  // Under a cent, two digits are enough.
  return amount >= CENT_NANO_USD ? CENT_NANO_USD : Math.max(1, 10 ** (String(amount).length - 2))
}

/** An amount with its unit in words: "1 tool call", "$0.50 of planning cost", "10m of active time". */
export function amountInWords(meter: Meter, amount: number, show = formatAmount): string {
  const { unit, words } = METERS[meter]
  const shown = show(meter, amount)
  if (meter === 'cost') return shown
  if (unit === 'nanoUsd') return `${shown} of ${words}`
  if (unit === 'milliseconds') return `${shown} ${words}`
  return `${shown} ${amount === 1 ? words.replace(/s$/, '') : words}`
}

/** A part of a limit: "3 of 20 tool calls", "$0.18 of $1.00 per day", "58s of 10m time". */
export function partOfLimit(meter: Meter, part: string, limit: { limit: number; per: Period | null }): string {
  const words = limitWords(meter)
  return `${part} of ${formatAmount(meter, limit.limit)}${words === '' ? '' : ` ${words}`}${perPeriod(limit.per)}`
}

/** The meter of a limit, in words, where the amount before it already shows dollars or a duration. */
export function limitWords(meter: Meter): string {
  const { unit, words } = METERS[meter]
  if (meter === 'cost') return ''
  if (meter === 'time') return 'time'
  return unit === 'milliseconds' ? words.replace(/^of /, '') : words
}

/** The period after an amount: " per day"; empty without one. */
export function perPeriod(per: Period | null): string {
  return per === null ? '' : ` per ${per}`
}
