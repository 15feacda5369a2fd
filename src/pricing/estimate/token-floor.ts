import type { Steps } from '../../core/interruptible-work.ts'

const LONG_RUN = 20
const PER_LETTER = 0.33
// Letters that don't form words: base64, hashes, one letter repeated.
const PER_WILD_LETTER = 0.8
const PER_DIGIT = 1
const PER_MARK = 0.8
// A mark on its own that doesn't belong to a following word.
const PER_LONE_MARK = 1
const PER_WHITESPACE_CHANGE = 0.6
// After a word or a number, a new line is a piece of its own.
const PER_NEW_LINE = 1
const PER_WHITESPACE_REPEAT = 0.08

// Tokens per non-ASCII UTF-16 code unit, by the last unit of each range.
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
// The same by blocks of 16, which every range is aligned to: hostile text must not cost 17 comparisons per character.
const BLOCKS = new Float64Array(0x1000)
for (const [last, tokens] of RANGES.toReversed()) BLOCKS.fill(tokens, 0, (last >> 4) + 1)

const SPACE = 0x20

// The kind of each code unit. Non-ASCII and control characters are `OTHER`.
const OTHER = 0
const BLANK = 1
const NEW_LINE = 2
const MARK = 3
const DIGIT = 4
const CAPITAL = 5
const SMALL = 6
const KINDS = new Uint8Array(0x10000)
KINDS.fill(BLANK, 0x09, 0x0e)
KINDS[SPACE] = BLANK
KINDS[0x0a] = NEW_LINE
KINDS[0x0d] = NEW_LINE
KINDS.fill(MARK, 0x21, 0x7f)
KINDS.fill(DIGIT, 0x30, 0x3a)
KINDS.fill(CAPITAL, 0x41, 0x5b)
KINDS.fill(SMALL, 0x61, 0x7b)

// Read in one step: about a millisecond.
const PIECE_UNITS = 32_768

/**
 * A lower bound for a cautious estimate, from the kinds of characters alone: one pass, the same time for any text. It
 * works where word-based estimates fail, as on base64, digits, symbols, emoji and scripts without spaces. It is never
 * below the number of pieces that OpenAI's tokenizers split text into first.
 */
export function* tokenFloor(text: string): Steps<number> {
  let tokens = 0
  let index = 0
  let pieceEnd = PIECE_UNITS
  while (index < text.length) {
    if (index >= pieceEnd) {
      pieceEnd = index + PIECE_UNITS
      yield
    }
    const unit = text.charCodeAt(index)
    const kind = KINDS[unit]!
    if (kind >= DIGIT) {
      let end = index + 1
      while (end < text.length && KINDS[text.charCodeAt(end)]! >= DIGIT) end++
      const word: WordRun = { digits: 0, switches: 0, pieces: 0, before: OTHER }
      for (let start = index; start < end; start += PIECE_UNITS) {
        if (start > index) yield
        readWord(word, text, start, Math.min(end, start + PIECE_UNITS))
      }
      tokens += wordTokens(word, end - index)
      index = end
      continue
    }
    if (kind === BLANK || kind === NEW_LINE) {
      let end = index + 1
      while (end < text.length && KINDS[text.charCodeAt(end)]! !== OTHER && KINDS[text.charCodeAt(end)]! <= NEW_LINE)
        end++
      const gap: GapRun = { tokens: 0, lastNewLine: -1, previous: index === 0 ? 0 : text.charCodeAt(index - 1) }
      for (let start = index; start < end; start += PIECE_UNITS) {
        if (start > index) yield
        readGap(gap, text, start, Math.min(end, start + PIECE_UNITS))
      }
      tokens += gapTokens(gap, text, index, end)
      index = end
      continue
    }
    tokens += characterTokens(text, index, unit)
    index++
  }
  return Math.ceil(tokens)
}

/** Consecutive letters and digits, as far as read. */
interface WordRun {
  digits: number
  switches: number
  pieces: number
  before: number
}

function readWord(run: WordRun, text: string, start: number, end: number): void {
  let { digits, switches, pieces, before } = run
  for (let index = start; index < end; index++) {
    const kind = KINDS[text.charCodeAt(index)]!
    if (kind === DIGIT) digits++
    // Capitals and lower-case letters form one piece only in this order.
    else if (before <= DIGIT || (before === SMALL && kind === CAPITAL)) pieces++
    if (before !== OTHER && kind !== before) switches++
    before = kind
  }
  run.digits = digits
  run.switches = switches
  run.pieces = pieces
  run.before = before
}

function wordTokens({ digits, switches, pieces }: WordRun, length: number): number {
  const isWild = length > LONG_RUN || (digits > 0 && digits < length) || switches * 3 > length
  const letters = (length - digits) * (isWild ? PER_WILD_LETTER : PER_LETTER)
  return Math.max(letters, pieces) + digits * PER_DIGIT
}

function characterTokens(text: string, index: number, unit: number): number {
  const previous = index === 0 ? 0 : text.charCodeAt(index - 1)
  if (unit < 0x20 || unit === 0x7f) return 1
  if (unit < 0x80) return KINDS[previous] === MARK || isPartOfNext(text, index, previous) ? PER_MARK : PER_LONE_MARK
  return BLOCKS[unit >> 4]!
}

/**
 * Whether the character after a mark is a mark too, or a word that the mark belongs to unless it belongs to a space.
 */
function isPartOfNext(text: string, index: number, previous: number): boolean {
  if (index + 1 >= text.length) return false
  const next = text.charCodeAt(index + 1)
  if (KINDS[next] === MARK) return true
  return previous !== SPACE && (next >= 0x80 || KINDS[next]! > DIGIT)
}

/** Consecutive whitespace, as far as read. */
interface GapRun {
  tokens: number
  lastNewLine: number
  previous: number
}

// Repeated whitespace is merged, mixed whitespace isn't.
function readGap(run: GapRun, text: string, start: number, end: number): void {
  let { tokens, lastNewLine, previous } = run
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index)
    if (KINDS[unit] === NEW_LINE) lastNewLine = index
    if (unit === previous) tokens += PER_WHITESPACE_REPEAT
    else if (unit !== SPACE || previous <= SPACE) tokens += PER_WHITESPACE_CHANGE
    previous = unit
  }
  run.tokens = tokens
  run.lastNewLine = lastNewLine
  run.previous = previous
}

function gapTokens({ tokens, lastNewLine }: GapRun, text: string, start: number, end: number): number {
  return Math.max(
    tokens,
    linePieces(text, start, lastNewLine) + spacePieces(text, Math.max(start, lastNewLine + 1), end),
  )
}

/** Everything up to the last new line is one piece, unless it belongs to the preceding mark. */
function linePieces(text: string, start: number, lastNewLine: number): number {
  if (lastNewLine === -1) return 0
  return start > 0 && KINDS[text.charCodeAt(start - 1)] === MARK && KINDS[text.charCodeAt(start)] === NEW_LINE
    ? 0
    : PER_NEW_LINE
}

/**
 * The last of several spaces belongs to the following word or mark, other whitespace only to a word; neither to a
 * number.
 */
function spacePieces(text: string, start: number, end: number): number {
  const length = end - start
  if (length === 0) return 0
  if (end === text.length) return 1
  const next = text.charCodeAt(end)
  const isSpace = text.charCodeAt(end - 1) === SPACE
  const isJoined = isSpace ? KINDS[next] !== DIGIT : KINDS[next]! > DIGIT
  return (length > 1 ? 1 : 0) + (isJoined ? 0 : 1)
}
