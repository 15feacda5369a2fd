import { groupIdOf } from '../../operate/find/beginning-with.ts'

const SHORTEST = 8

interface Named {
  readonly id: string
  /** A lasting scope is known by its key, which is its id. */
  readonly kind?: string
}

/**
 * The beginning of each id that tells it from the others of the list, so that it can be pasted; a key stays whole, and so
 * does what an agent of a group has behind the id of that.
 */
export function shortIds(items: readonly Named[]): (item: Named) => string {
  const length = shortIdLength(items.filter(({ kind }) => kind !== 'lasting').map(({ id }) => groupIdOf(id)))
  return ({ id, kind }) =>
    kind === 'lasting' ? id : `${groupIdOf(id).slice(0, length)}${id.slice(groupIdOf(id).length)}`
}

/** How many characters tell all of these ids apart. Those that are made at one time begin alike. */
function shortIdLength(ids: readonly string[]): number {
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
