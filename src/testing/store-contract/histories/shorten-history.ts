/**
 * Shortens a failing history by leaving parts out, so that its cause is easier to find. Tries halves, then quarters,
 * down to single steps, and repeats while that helps; bounded by `mostTries`.
 */
export async function shortenHistory<Turn>(
  turns: readonly Turn[],
  fails: (turns: readonly Turn[]) => Promise<boolean>,
  mostTries = 500,
): Promise<readonly Turn[]> {
  let shortest = turns
  let tries = 0
  let before: number
  do {
    before = shortest.length
    for (let length = Math.ceil(before / 2); length >= 1; length = length === 1 ? 0 : Math.ceil(length / 2)) {
      for (let from = 0; from < shortest.length && tries < mostTries; ) {
        const shorter = shortest.toSpliced(from, length)
        tries++
        if (await fails(shorter)) shortest = shorter
        else from += length
      }
    }
    // A step that was needed before may be unnecessary now.
  } while (shortest.length < before && tries < mostTries)
  return shortest
}
