import type { StintEvent } from '../../core/index.ts'

const LONGEST_TEXT = 4096
const MOST_VALUES = 1000
// Valid in JSON, but many tools treat them as line ends.
const LINE_SEPARATORS = /[\u2028\u2029]/g

/** An event as one line of JSON. Long values are cut and marked as such. May throw. */
export function eventLine(event: StintEvent): string {
  let values = 0
  const json = JSON.stringify(event, (_key, value: unknown) => {
    if (++values > MOST_VALUES) return '[cut: too many values]'
    if (typeof value === 'bigint') return String(value)
    return typeof value === 'string' ? cutText(value) : value
  })
  return `${json.replace(LINE_SEPARATORS, escapeCharacter)}\n`
}

function cutText(text: string): string {
  if (text.length <= LONGEST_TEXT) return text
  const mark = `… [cut: ${text.length} characters]`
  const end = LONGEST_TEXT - mark.length
  return text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end) + mark
}

// The first half of a surrogate pair, which must not be cut in two.
function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`
}
