const LONG_RUN = 20
const PER_LETTER = 0.33
// Letters that form no words: base64, hashes, one letter repeated.
const PER_WILD_LETTER = 0.8
const PER_DIGIT = 1
// A space belongs to the word after it, but not to a number.
const PER_SPACE_BEFORE_DIGIT = 1
const PER_MARK = 0.8
const PER_WHITESPACE_CHANGE = 0.6
const PER_WHITESPACE_REPEAT = 0.08

// Tokens per UTF-16 code unit for what is not ASCII, by the last unit of each range.
const RANGES: readonly (readonly [last: number, tokens: number])[] = [
  [0x02ff, 1.2], // Latin letters with accents
  [0x036f, 2], // combining accents
  [0x07ff, 1.2], // Greek, Cyrillic, Hebrew, Arabic
  [0x0fff, 1.5], // the scripts of India, Thai, Tibetan
  [0x10ff, 3],
  [0x11ff, 1.3], // parts of Hangul
  [0x1dff, 3],
  [0x1fff, 2], // Latin and Greek with more accents
  [0x2fff, 2], // punctuation, arrows, mathematics, boxes, symbols
  [0x30ff, 1.3], // kana
  [0x4dff, 3],
  [0x9fff, 1.5], // Chinese characters
  [0xabff, 3],
  [0xd7ff, 1.3], // Hangul
  [0xdfff, 2], // halves of pairs: emoji, rare scripts and signs
  [0xfeff, 3],
  [0xffff, 1.5], // full-width forms
]
// The same by blocks of 16, in which every range ends: a hostile text must not buy 17 comparisons per character.
const BLOCKS = Float64Array.from({ length: 0x1000 }, (_, block) => RANGES.find(([last]) => block * 16 <= last)![1])

/**
 * A lower bound for a careful estimate, from the kinds of characters alone: one pass, the same time for any text.
 * It holds where word-based estimates fail, as on base64, digits, symbols, emoji and scripts without spaces.
 */
export function tokenFloor(text: string): number {
  let tokens = 0
  let index = 0
  while (index < text.length) {
    const unit = text.charCodeAt(index)
    if (isLetterOrDigit(unit)) {
      const end = runEnd(text, index)
      tokens += runTokens(text, index, end)
      index = end
      continue
    }
    tokens += characterTokens(unit, index === 0 ? 0 : text.charCodeAt(index - 1))
    index++
  }
  return Math.ceil(tokens)
}

function runEnd(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && isLetterOrDigit(text.charCodeAt(end))) end++
  return end
}

function runTokens(text: string, start: number, end: number): number {
  let digits = 0
  let switches = 0
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index)
    if (isDigit(unit)) digits++
    if (index > start && kindOf(unit) !== kindOf(text.charCodeAt(index - 1))) switches++
  }
  const length = end - start
  const space =
    start > 0 && isDigit(text.charCodeAt(start)) && text.charCodeAt(start - 1) === 0x20 ? PER_SPACE_BEFORE_DIGIT : 0
  const isWild = length > LONG_RUN || (digits > 0 && digits < length) || switches * 3 > length
  return (length - digits) * (isWild ? PER_WILD_LETTER : PER_LETTER) + digits * PER_DIGIT + space
}

function characterTokens(unit: number, previous: number): number {
  if (unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)) return whitespaceTokens(unit, previous)
  if (unit < 0x20 || unit === 0x7f) return 1
  if (unit < 0x80) return PER_MARK
  return BLOCKS[unit >> 4]!
}

// One space belongs to the word after it; whitespace that repeats is packed, whitespace that changes is not.
function whitespaceTokens(unit: number, previous: number): number {
  if (unit === previous) return PER_WHITESPACE_REPEAT
  return unit === 0x20 && previous > 0x20 ? 0 : PER_WHITESPACE_CHANGE
}

function isLetterOrDigit(unit: number): boolean {
  return isDigit(unit) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a)
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39
}

function kindOf(unit: number): 'digit' | 'capital' | 'small' {
  if (isDigit(unit)) return 'digit'
  return unit <= 0x5a ? 'capital' : 'small'
}
