/** A pattern for 1 to `places` decimals that are not all zero. Without lookaheads: not every JSON Schema engine has them. */
export function nonZeroDecimals(places: number): string {
  const alternatives = Array.from({ length: places }, (_, zeros) => {
    const rest = places - zeros - 1
    return `${'0'.repeat(zeros)}[1-9]${rest === 0 ? '' : `\\d{0,${rest}}`}`
  })
  return `(?:${alternatives.join('|')})`
}

/** A pattern for whole numbers from 1 with at most `digits` digits. */
export function positiveInteger(digits: number): string {
  return digits === 1 ? '[1-9]' : `[1-9]\\d{0,${digits - 1}}`
}

/** `text` (digits with at most one point) times 10^places, exactly. Decimals beyond `places` are cut off, never rounded up. */
export function scaleDecimal(text: string, places: number): number {
  const [integer = '', decimals = ''] = text.split('.')
  return Number(integer + decimals.slice(0, places).padEnd(places, '0'))
}
