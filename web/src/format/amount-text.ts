/** The units of amounts on the wire. */
export type Unit = 'count' | 'tokens' | 'nanoUsd' | 'milliseconds'

const NANO = 1_000_000_000

/** An amount as people read it: `25`, `412k`, `$0.27`, `6m 12s`. */
export function amountText(amount: number, unit: Unit): string {
  if (unit === 'nanoUsd') return moneyText(amount)
  if (unit === 'milliseconds') return durationText(amount)
  return unit === 'tokens' ? shortCount(amount) : amount.toLocaleString('en-US')
}

/** Nano-USD in dollars: with cents, and with the digits that matter where it is less than one. */
export function moneyText(nanoUsd: number): string {
  const dollars = nanoUsd / NANO
  const size = Math.abs(dollars)
  const digits = size === 0 || size >= 1 ? 2 : size >= 0.01 ? 3 : Math.min(9, 1 - Math.floor(Math.log10(size)))
  const text = size >= 10_000 ? shortCount(size) : fixed(size, digits)
  return `${dollars < 0 ? '−' : ''}$${text}`
}

/** At least cents; no zeros after them. */
function fixed(size: number, digits: number): string {
  return size.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: digits })
}

const STEPS = [
  [1_000_000_000, 'B'],
  [1_000_000, 'M'],
  [1000, 'k'],
] as const

/** `940`, `8.2k`, `412k`, `1.7M`. */
export function shortCount(count: number): string {
  const step = STEPS.find(([size]) => Math.abs(count) >= size * 0.9995)
  if (step === undefined) return Math.round(count).toLocaleString('en-US')
  const [size, letter] = step
  const scaled = count / size
  return `${scaled.toFixed(Math.abs(scaled) < 9.95 ? 1 : 0).replace(/\.0$/, '')}${letter}`
}

/** Milliseconds as `480 ms`, `6.2s`, `6m 12s`, `3h 5m`, `2d 4h`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1).replace(/\.0$/, '')}s`
  return wholeDuration(Math.round(seconds))
}

function wholeDuration(seconds: number): string {
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return two(`${minutes}m`, seconds % 60, 's')
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? two(`${hours}h`, minutes % 60, 'm') : two(`${Math.floor(hours / 24)}d`, hours % 24, 'h')
}

function two(large: string, small: number, letter: string): string {
  return small === 0 ? large : `${large} ${small}${letter}`
}
