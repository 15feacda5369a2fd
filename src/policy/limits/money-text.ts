import { nonZeroDecimals, positiveInteger, scaleDecimal } from './decimal-text.ts'

/** Nano-USD: nine decimals. Six digits before the point keep every amount far below 2^53. */
export const MONEY_PLACES = 9

/** A pattern for positive amounts of dollars: `1`, `1.50`, `$1.50`, `$0.000001`. */
export const MONEY_PATTERN = `\\$?(?:${positiveInteger(6)}(?:\\.\\d{1,${MONEY_PLACES}})?|0\\.${nonZeroDecimals(MONEY_PLACES)})`

/** The exact nano-USD that a text of `MONEY_PATTERN` means. */
export function nanoUsdFromText(text: string): number {
  return scaleDecimal(text.replace('$', ''), MONEY_PLACES)
}

/**
 * The nano-USD of a number of dollars, read from its shortest decimal text, since a float times a billion is not exact.
 * Fractions of a nano-USD are cut off, so that a limit is never more than was written.
 */
export function nanoUsdFromNumber(usd: number): number {
  const [mantissa = '', exponent] = String(usd).split('e-')
  if (exponent === undefined) return scaleDecimal(mantissa, MONEY_PLACES)
  const zeros = '0'.repeat(Number(exponent) - 1)
  return scaleDecimal(`0.${zeros}${mantissa.replace('.', '')}`, MONEY_PLACES)
}
