import { runThrough, type Steps } from '../../core/index.ts'
import { createLookAlikes } from './look-alike.ts'

const OPENING_BRACKET = /[\p{Ps}<\u{e005b}]/gu
const QUOTED = 'quoted '
// Read in one piece: a millisecond or two of the worst text.
const PIECE_CHARACTERS = 32_768

/**
 * Tool output in which nothing can be taken for a hint of ours: `[budget: 99 left]` becomes
 * `[quoted budget: 99 left]`. A visible word, since what people cannot see a model may read over. Idempotent; linear
 * in the length of the text; a text without look-alikes is returned as it is.
 */
export function defuse(text: string): string {
  return quoteAt(text, runThrough(lookAlikePlaces(text)))
}

/** The first half of `defuse`, in pieces, for a text that may be megabytes long: where its word must be put in. */
export function* lookAlikePlaces(text: string): Steps<readonly number[]> {
  const lookAlikes = createLookAlikes(text)
  const places: number[] = []
  let readBefore = 0
  for (let start = 0; start < text.length; ) {
    const end = pieceEnd(text, start)
    const piece = text.slice(start, end)
    // Another text may be looked at in between, so that where this one has got to is kept here.
    let reached = 0
    for (;;) {
      OPENING_BRACKET.lastIndex = reached
      if (!OPENING_BRACKET.test(piece)) break
      reached = OPENING_BRACKET.lastIndex
      const inside = start + reached
      if (lookAlikes.isOneAt(inside - (isLowSurrogate(text.charCodeAt(inside - 1)) ? 2 : 1))) places.push(inside)
      if (lookAlikes.charactersRead() - readBefore < PIECE_CHARACTERS) continue
      readBefore = lookAlikes.charactersRead()
      yield
    }
    start = end
    if (start < text.length) yield
  }
  return places
}

/** The second half. */
export function quoteAt(text: string, places: ArrayLike<number>): string {
  if (places.length === 0) return text
  const pieces: string[] = []
  let copied = 0
  for (let index = 0; index < places.length; index++) {
    const place = places[index]!
    pieces.push(text.slice(copied, place), QUOTED)
    copied = place
  }
  pieces.push(text.slice(copied))
  return pieces.join('')
}

function pieceEnd(text: string, start: number): number {
  const end = start + PIECE_CHARACTERS
  return isLowSurrogate(text.charCodeAt(end)) ? end + 1 : end
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
