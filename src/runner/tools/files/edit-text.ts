/** A replacement in a text. */
export interface Edit {
  readonly oldText: string
  readonly newText: string
  readonly replaceAll: boolean
}

/** The result of an edit. `count`: how often the old text occurs. */
export type Edited =
  | { readonly kind: 'edited'; readonly text: string; readonly count: number; readonly firstLine: number }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'not-unique'; readonly count: number; readonly lines: readonly number[] }

const MOST_LINES_NAMED = 10
// Replacing a short text in many places by a long one could exhaust memory.
const LONGEST_TEXT = 20_000_000

/** Replaces exact text. Keeps the file's line ends, whichever the edit uses. */
export function editText(text: string, edit: Edit): Edited {
  const hasCarriageReturns = text.includes('\r\n')
  const inFile = (part: string): string => (hasCarriageReturns ? part.replaceAll(/\r?\n/g, '\r\n') : part)
  // In a file with mixed line ends, the old text must match exactly.
  const isExact = text.includes(edit.oldText)
  const oldText = isExact ? edit.oldText : inFile(edit.oldText)
  const isMixed = hasCarriageReturns && /(^|[^\r])\n/.test(text)
  const newText = isMixed ? edit.newText : inFile(edit.newText)
  const parts = text.split(oldText)
  const count = parts.length - 1
  if (count === 0) return { kind: 'not-found' }
  if (count > 1 && !edit.replaceAll) return { kind: 'not-unique', count, lines: linesOf(parts, oldText) }
  const length = text.length + count * (newText.length - oldText.length)
  if (length > LONGEST_TEXT) return { kind: 'too-long' }
  return { kind: 'edited', text: parts.join(newText), count, firstLine: 1 + newlinesIn(parts[0]!) }
}

/** The lines on which the text between the parts begins. */
function linesOf(parts: readonly string[], oldText: string): readonly number[] {
  const lines: number[] = []
  let line = 1
  for (const part of parts.slice(0, Math.min(parts.length - 1, MOST_LINES_NAMED))) {
    line += newlinesIn(part)
    lines.push(line)
    line += newlinesIn(oldText)
  }
  return lines
}

function newlinesIn(text: string): number {
  return text.split('\n').length - 1
}
