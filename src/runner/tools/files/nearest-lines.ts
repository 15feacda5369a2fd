/** A line of a text, with its number from 1. */
export interface NumberedLine {
  readonly number: number
  readonly line: string
}

const MOST_LINES = 5_000
const LONGEST_LINE = 200
const MOST_FOUND = 3
const LEAST_LIKENESS = 0.5

/** The lines of `text` that are most similar to the first non-empty line of `wanted`; may be none. */
export function nearestLines(text: string, wanted: string): readonly NumberedLine[] {
  const first = wanted.split('\n').find((line) => line.trim() !== '')
  if (first === undefined) return []
  const pairsOfFirst = pairsOf(first)
  const lines = text.split('\n', MOST_LINES).map((line, index) => ({ number: index + 1, line: line.trimEnd() }))
  return lines
    .map((each) => ({ each, likeness: likenessOf(pairsOfFirst, pairsOf(each.line)) }))
    .filter(({ likeness }) => likeness >= LEAST_LIKENESS)
    .sort((left, right) => right.likeness - left.likeness)
    .slice(0, MOST_FOUND)
    .map(({ each }) => each)
}

/** The pairs of adjacent characters, without spaces, since indentation is most often wrong. */
function pairsOf(line: string): ReadonlySet<string> {
  const letters = line.slice(0, LONGEST_LINE).replaceAll(/\s+/g, '')
  const pairs = new Set<string>()
  for (let index = 0; index < Math.max(1, letters.length - 1); index++) pairs.add(letters.slice(index, index + 2))
  return pairs
}

/** From 0 (nothing in common) to 1. */
function likenessOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let common = 0
  for (const pair of left) if (right.has(pair)) common++
  return (2 * common) / (left.size + right.size)
}
