/** A map that forgets what is no longer needed, in bulk, so that remembering costs next to nothing. */
export interface AgingMap<Value> {
  get(id: string): Value | undefined
  set(id: string, value: Value): void
  values(): Iterable<Value>
  /** The older first; an id that was set again may come twice, its present value last. */
  entries(): Iterable<readonly [string, Value]>
}

/**
 * Keeps everything that `isNeeded`, and of the rest at least the latest `most` entries. Two generations: when the
 * younger one is full, the older one is dropped but for what is needed. Deleting one by one would cost more than all
 * sums of a reservation together: a `Map` passes over all that was deleted whenever it looks for its first entry.
 */
export function createAgingMap<Value>(
  most: number,
  isNeeded: (value: Value) => boolean = () => false,
): AgingMap<Value> {
  let younger = new Map<string, Value>()
  let older = new Map<string, Value>()
  let room = most

  function turn(): void {
    const dropped = older
    older = younger
    younger = new Map()
    for (const [id, value] of dropped) if (isNeeded(value)) younger.set(id, value)
    room = younger.size + most
  }

  return {
    get(id) {
      const value = younger.get(id)
      return value === undefined ? older.get(id) : value
    },
    set(id, value) {
      if (younger.size >= room) turn()
      younger.set(id, value)
    },
    *values() {
      yield* older.values()
      yield* younger.values()
    },
    *entries() {
      yield* older
      yield* younger
    },
  }
}
