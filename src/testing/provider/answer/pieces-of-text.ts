// Short answers come in a few deltas, long ones in as many as a real model would send.
const FEWEST = 3
const LONGEST = 4_000

/**
 * Splits a text into pieces, without cutting a character in two. An empty text has none. With `count`, there are that
 * many pieces of about the same length, or one per character if there are fewer.
 */
export function piecesOfText(text: string, count?: number): readonly string[] {
  const pieces: string[] = []
  const usual = Math.min(LONGEST, Math.max(1, Math.ceil(text.length / FEWEST)))
  for (let start = 0; start < text.length; ) {
    let end =
      count === undefined ? start + usual : Math.max(start + 1, Math.round((text.length * (pieces.length + 1)) / count))
    // The second half of a pair stays with the first.
    if (isSecondHalf(text.charCodeAt(end))) end++
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

function isSecondHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
