import { METERS, type Meter } from '../meter.ts'
import { NANO_USD_PER_USD } from './amounts.ts'

const TIME_UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const

/** An amount as people write it: "$0.18", "1h30m", "24". Parsing the text gives the same amount. */
export function formatAmount(meter: Meter, amount: number): string {
  const { unit } = METERS[meter]
  if (unit === 'nanoUsd') return formatUsd(amount)
  if (unit === 'milliseconds') return formatDuration(amount)
  return String(amount)
}

/** Always cents, plus as many of the nine decimals as an exact figure needs. */
export function formatUsd(nanoUsd: number): string {
  const dollars = Math.floor(nanoUsd / NANO_USD_PER_USD)
  const decimals = String(nanoUsd % NANO_USD_PER_USD).padStart(9, '0')
  return `$${dollars}.${decimals.slice(0, 2)}${decimals.slice(2).replace(/0+$/, '')}`
}

/** The non-zero units, largest first: "1h30m". */
export function formatDuration(milliseconds: number): string {
  let rest = milliseconds
  let text = ''
  for (const [name, size] of TIME_UNITS) {
    const count = Math.floor(rest / size)
    if (count > 0) text += `${count}${name}`
    rest -= count * size
  }
  return text === '' ? '0ms' : text
}
