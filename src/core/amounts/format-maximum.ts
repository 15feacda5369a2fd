import { METERS, type Meter } from '../meter.ts'
import { formatAmount } from './format-amount.ts'

const TOKEN_SUFFIXES = [
  { suffix: 'b', size: 1_000_000_000 },
  { suffix: 'm', size: 1_000_000 },
  { suffix: 'k', size: 1000 },
] as const

/**
 * A maximum as people write it: `24`, `200k`, `$0.18`, `10m`. A suffix is used only if one decimal is exact (1.5k, but
 * 1234567), so that the text parses back to the same amount.
 */
export function formatMaximum(meter: Meter, max: number): string {
  if (METERS[meter].unit !== 'tokens') return formatAmount(meter, max)
  const fitting = TOKEN_SUFFIXES.find(({ size }) => max >= size && max % (size / 10) === 0)
  return fitting === undefined ? String(max) : `${max / fitting.size}${fitting.suffix}`
}
