import { stripVTControlCharacters } from 'node:util'

const SIMPLE = /^[\u0020-\u007e\u00a1-\u02ff\u2010-\u2027\u2190-\u2193\u2500-\u257f]*$/
// East Asian characters and emoji take two columns each.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u
const INVISIBLE = /^[\p{Mark}\p{Cc}\p{Cf}]*$/u

let segmenter: Intl.Segmenter | null = null

/** How many terminal columns a line takes, without colour codes. */
export function textWidth(line: string): number {
  const text = line.includes('\u001b') ? stripVTControlCharacters(line) : line
  if (SIMPLE.test(text)) return text.length
  // Created only when needed: it takes longer than a whole table of plain text.
  segmenter ??= new Intl.Segmenter()
  let width = 0
  for (const { segment } of segmenter.segment(text)) {
    if (!INVISIBLE.test(segment)) width += WIDE.test(segment) ? 2 : 1
  }
  return width
}
