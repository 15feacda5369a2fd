// Short answers come in a few deltas, long ones in as many as a real model would need packets.
const FEWEST = 3
const LONGEST = 4_000

/** The text in pieces that together are the text; no character is cut in two. An empty text has none. */
export function piecesOfText(text: string): readonly string[] {
  const length = Math.min(LONGEST, Math.max(1, Math.ceil(text.length / FEWEST)))
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    let end = start + length
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
