import { nonZeroDecimals, positiveInteger, scaleDecimal } from './decimal-text.ts'

/** How many decimals a number with this suffix may have and still be whole. */
export const SUFFIX_PLACES: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9 }

/**
 * A pattern for positive counts of at most `digits` digits: `25`, `200_000`, `1.5k`, `2m`.
 * The number of digits limits the range, and the number of decimals keeps the count whole.
 */
export function countPattern(digits: number): string {
  const groups = Math.floor(digits / 3) - 1
  const plain = [positiveInteger(digits), `[1-9]\\d{0,2}(?:_\\d{3}){1,${groups}}`]
  const suffixed = Object.entries(SUFFIX_PLACES)
    .filter(([, places]) => places < digits)
    .map(([suffix, places]) => {
      const number = `(?:${positiveInteger(digits - places)}(?:\\.\\d{1,${places}})?|0\\.${nonZeroDecimals(places)})`
      return `${number}[${suffix}${suffix.toUpperCase()}]`
    })
  return [...plain, ...suffixed].join('|')
}

/** The count that a text of `countPattern` (or plain digits) means. */
export function countFromText(text: string): number {
  const places = SUFFIX_PLACES[text.slice(-1).toLowerCase()]
  return places === undefined ? Number(text.replaceAll('_', '')) : scaleDecimal(text.slice(0, -1), places)
}
