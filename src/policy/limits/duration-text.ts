import { nonZeroDecimals, positiveInteger, scaleDecimal } from './decimal-text.ts'

interface DurationUnit {
  readonly milliseconds: number
  /** Digits that the leading part may have: no text exceeds the largest number of milliseconds. */
  readonly leadingDigits: number
  /** Digits of the part after a larger unit. */
  readonly followingDigits: number
  /** The most decimals that still give whole milliseconds. */
  readonly decimals: number
}

// From large to small: the order in which the parts of a duration are written.
const UNITS: Readonly<Record<string, DurationUnit>> = {
  d: { milliseconds: 86_400_000, leadingDigits: 3, followingDigits: 0, decimals: 5 },
  h: { milliseconds: 3_600_000, leadingDigits: 4, followingDigits: 2, decimals: 5 },
  m: { milliseconds: 60_000, leadingDigits: 6, followingDigits: 2, decimals: 4 },
  s: { milliseconds: 1000, leadingDigits: 8, followingDigits: 2, decimals: 3 },
  ms: { milliseconds: 1, leadingDigits: 11, followingDigits: 3, decimals: 0 },
}

function patternFrom(unit: string, index: number, units: readonly string[]): string {
  const { leadingDigits, decimals } = UNITS[unit]!
  const leading = positiveInteger(leadingDigits)
  const smaller = units.slice(index + 1).map((name) => `(?:\\d{1,${UNITS[name]!.followingDigits}}${name})?`)
  const whole = `${leading}${unit}${smaller.join('')}`
  if (decimals === 0) return whole
  return `${whole}|(?:${leading}\\.\\d{1,${decimals}}|0\\.${nonZeroDecimals(decimals)})${unit}`
}

/** A pattern for durations: `250ms`, `90s`, `1.5h`, `1h30m`, `2d`. Parts go from large to small; a fraction has one part. */
export const DURATION_PATTERN = Object.keys(UNITS).map(patternFrom).join('|')

/** The milliseconds that a text of `DURATION_PATTERN` means; bare digits are milliseconds. */
export function millisecondsFromText(text: string): number {
  let milliseconds = 0
  for (const [, number = '', unit = 'ms'] of text.matchAll(/(\d+(?:\.\d+)?)(ms|d|h|m|s|$)/g)) {
    const { milliseconds: unitMs, decimals } = UNITS[unit || 'ms']!
    milliseconds += scaleDecimal(number, decimals) * (unitMs / 10 ** decimals)
  }
  return milliseconds
}
