const LONGEST_NAME = 64

/**
 * The candidate that a mistyped name most likely meant; `null` if none is close. `share` of its letters may be wrong.
 */
export function suggestName(name: string, candidates: readonly string[], share = 0.4): string | null {
  if (name === '' || name.length > LONGEST_NAME) return null
  const folded = fold(name)
  let nearest: string | null = null
  let smallest = Math.max(1, Math.floor(name.length * share)) + 1
  for (const candidate of candidates) {
    if (candidate.length > LONGEST_NAME) continue
    const distance = editDistance(folded, fold(candidate))
    if (distance < smallest) {
      smallest = distance
      nearest = candidate
    }
  }
  return nearest
}

// `tool-calls` and `TOOL_CALLS` are spellings of `toolCalls`, not typing errors.
function fold(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '')
}

/** Damerau-Levenshtein (optimal string alignment): insertions, deletions, substitutions, transpositions. */
function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      const isSwap = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      current[column] = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + (isSame ? 0 : 1),
        isSwap ? beforePrevious[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforePrevious = previous
    previous = current
  }
  return previous[right.length]!
}
