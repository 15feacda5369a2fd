import { runThrough, type Steps } from '../../../core/index.ts'
import { createLookAlikes } from './look-alike.ts'

const OPENING_BRACKET = /[\p{Ps}<\u{e005b}]/gu
const QUOTED = 'quoted '
// Scanned in one piece: a millisecond or two for the worst text.
const PIECE_CHARACTERS = 32_768

/**
 * Tool output in which nothing can be taken for one of our hints: `[budget: 99 left]` becomes `[quoted budget: 99
 * left]`. The added word is visible, since a model may ignore what people cannot see. Idempotent; linear in the length
 * of the text; a text without look-alikes is returned unchanged.
 */
export function defuse(text: string): string {
  return runThrough(quoteAt(text, runThrough(lookAlikePlaces(text))))
}

/** The first half of `defuse`, in steps, for texts of several megabytes: where to insert the word. */
export function* lookAlikePlaces(text: string): Steps<readonly number[]> {
  const lookAlikes = createLookAlikes(text)
  const places: number[] = []
  let readBefore = 0
  for (let start = 0; start < text.length; ) {
    const end = pieceEnd(text, start)
    const piece = text.slice(start, end)
    // Another text may be scanned in between, so the position in this one is kept here.
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

const PIECE_PLACES = 4_096

/** The second half, in steps as well: a text may consist of nothing but look-alikes. */
export function* quoteAt(text: string, places: ArrayLike<number>): Steps<string> {
  if (places.length === 0) return text
  let quoted = ''
  let copied = 0
  for (let index = 0; index < places.length; index++) {
    if (index > 0 && index % PIECE_PLACES === 0) yield
    const place = places[index]!
    quoted += text.slice(copied, place) + QUOTED
    copied = place
  }
  return quoted + text.slice(copied)
}

function pieceEnd(text: string, start: number): number {
  const end = start + PIECE_CHARACTERS
  return isLowSurrogate(text.charCodeAt(end)) ? end + 1 : end
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
