import type { Steps } from '../../core/interruptible-work.ts'

// Read in one step: less than a millisecond.
const PIECE_UNITS = 131_072

/** The number of bytes of `text` in UTF-8. No byte-based tokenizer produces more tokens. */
export function* utf8Length(text: string): Steps<number> {
  let bytes = 0
  for (let start = 0; start < text.length; start += PIECE_UNITS) {
    if (start > 0) yield
    bytes += pieceLength(text, start, Math.min(text.length, start + PIECE_UNITS))
  }
  return bytes
}

function pieceLength(text: string, start: number, end: number): number {
  let bytes = end - start
  // The second half of a pair was counted with the first.
  const isCut = start > 0 && isLowSurrogate(text.charCodeAt(start)) && isHighSurrogate(text.charCodeAt(start - 1))
  for (let index = isCut ? start + 1 : start; index < end; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    bytes += unit < 0x800 ? 1 : 2
    // A surrogate pair is four bytes for two units; half a pair is sent as the three bytes of U+FFFD.
    if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(index + 1))) index++
  }
  return bytes
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
