const SHORTEST = 8

/** How many characters tell all of these ids apart. Those that are made at one time begin alike. */
export function shortIdLength(ids: readonly string[]): number {
  const sorted = [...new Set(ids)].sort()
  let longest = SHORTEST
  for (const [index, id] of sorted.entries()) {
    const next = sorted[index + 1]
    if (next !== undefined) longest = Math.max(longest, sharedLength(id, next) + 1)
  }
  return longest
}

function sharedLength(left: string, right: string): number {
  let length = 0
  while (length < left.length && left[length] === right[length]) length++
  return length
}
