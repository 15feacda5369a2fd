import { groupIdOf } from '../../operate/find/beginning-with.ts'

const SHORTEST = 8

interface Named {
  readonly id: string
  /** A lasting scope is known by its key, which is also its id. */
  readonly kind?: string
}

/**
 * The shortest unique beginning of each id in the list, to be copied and pasted. Keys stay whole, and so does the part
 * of an agent's id after its group's.
 */
export function shortIds(items: readonly Named[]): (item: Named) => string {
  const length = shortIdLength(items.filter(({ kind }) => kind !== 'lasting').map(({ id }) => groupIdOf(id)))
  return ({ id, kind }) =>
    kind === 'lasting' ? id : `${groupIdOf(id).slice(0, length)}${id.slice(groupIdOf(id).length)}`
}

/** How many characters make all of these ids unique. Ids created at the same time start alike. */
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
