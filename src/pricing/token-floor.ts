import type { Steps } from '../core/steps.ts'

const LONG_RUN = 20
const PER_LETTER = 0.33
// Letters that form no words: base64, hashes, one letter repeated.
const PER_WILD_LETTER = 0.8
const PER_DIGIT = 1
const PER_MARK = 0.8
// One that stands alone, and not before a word that it would belong to.
const PER_LONE_MARK = 1
const PER_WHITESPACE_CHANGE = 0.6
// Behind a word or a number a new line is a piece of its own.
const PER_NEW_LINE = 1
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
const BLOCKS = new Float64Array(0x1000)
for (const [last, tokens] of RANGES.toReversed()) BLOCKS.fill(tokens, 0, (last >> 4) + 1)

// Read in one piece: a millisecond or so.
const PIECE_UNITS = 32_768

/**
 * A lower bound for a careful estimate, from the kinds of characters alone: one pass, the same time for any text.
 * It holds where word-based estimates fail, as on base64, digits, symbols, emoji and scripts without spaces. It is never
 * below the pieces that OpenAI's tokenizers cut a text into before they look for tokens.
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
    if (isLetterOrDigit(unit)) {
      const end = runEnd(text, index, isLetterOrDigit)
      const word: WordRun = { digits: 0, switches: 0, pieces: 0, before: null }
      for (let start = index; start < end; start += PIECE_UNITS) {
        if (start > index) yield
        readWord(word, text, start, Math.min(end, start + PIECE_UNITS))
      }
      tokens += wordTokens(word, end - index)
      index = end
      continue
    }
    if (isWhitespace(unit)) {
      const end = runEnd(text, index, isWhitespace)
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

function runEnd(text: string, start: number, isInRun: (unit: number) => boolean): number {
  let end = start + 1
  while (end < text.length && isInRun(text.charCodeAt(end))) end++
  return end
}

/** Letters and digits in a row, as far as they were read. */
interface WordRun {
  digits: number
  switches: number
  pieces: number
  before: Kind | null
}

function readWord(run: WordRun, text: string, start: number, end: number): void {
  let { digits, switches, pieces, before } = run
  for (let index = start; index < end; index++) {
    const kind = kindOf(text.charCodeAt(index))
    if (kind === 'digit') digits++
    // Capitals and small letters are one piece in this order only.
    else if (before === null || before === 'digit' || (before === 'small' && kind === 'capital')) pieces++
    if (before !== null && kind !== before) switches++
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

const SPACE = 0x20

function characterTokens(text: string, index: number, unit: number): number {
  const previous = index === 0 ? 0 : text.charCodeAt(index - 1)
  if (unit < 0x20 || unit === 0x7f) return 1
  if (unit < 0x80) return isMark(previous) || isPartOfNext(text, index, previous) ? PER_MARK : PER_LONE_MARK
  return BLOCKS[unit >> 4]!
}

/** Whether what follows a mark is a mark too, or a word that it belongs to unless it belongs to a space. */
function isPartOfNext(text: string, index: number, previous: number): boolean {
  if (index + 1 >= text.length) return false
  const next = text.charCodeAt(index + 1)
  if (isMark(next)) return true
  return previous !== SPACE && (next >= 0x80 || (isLetterOrDigit(next) && !isDigit(next)))
}

/** Whitespace in a row, as far as it was read. */
interface GapRun {
  tokens: number
  lastNewLine: number
  previous: number
}

// Whitespace that repeats is packed, whitespace that changes is not.
function readGap(run: GapRun, text: string, start: number, end: number): void {
  let { tokens, lastNewLine, previous } = run
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index)
    if (isNewLine(unit)) lastNewLine = index
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

/** All up to the last new line is one piece, unless it belongs to the mark before it. */
function linePieces(text: string, start: number, lastNewLine: number): number {
  if (lastNewLine === -1) return 0
  return start > 0 && isMark(text.charCodeAt(start - 1)) && isNewLine(text.charCodeAt(start)) ? 0 : PER_NEW_LINE
}

/** The last one of several belongs to the word after it, a space to a mark too; never to a number. */
function spacePieces(text: string, start: number, end: number): number {
  const length = end - start
  if (length === 0) return 0
  if (end === text.length) return 1
  const next = text.charCodeAt(end)
  const isSpace = text.charCodeAt(end - 1) === SPACE
  const isJoined = isSpace ? !isDigit(next) : isLetterOrDigit(next) && !isDigit(next)
  return (length > 1 ? 1 : 0) + (isJoined ? 0 : 1)
}

function isNewLine(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d
}

function isWhitespace(unit: number): boolean {
  return unit === SPACE || (unit >= 0x09 && unit <= 0x0d)
}

function isMark(unit: number): boolean {
  return unit > SPACE && unit < 0x7f && !isLetterOrDigit(unit)
}

function isLetterOrDigit(unit: number): boolean {
  return isDigit(unit) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a)
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39
}

type Kind = 'digit' | 'capital' | 'small'

function kindOf(unit: number): Kind {
  if (isDigit(unit)) return 'digit'
  return unit <= 0x5a ? 'capital' : 'small'
}
