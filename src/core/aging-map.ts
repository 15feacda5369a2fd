/** A map that drops entries it no longer needs in bulk, so that keeping old entries costs almost nothing. */
export interface AgingMap<Value> {
  get(id: string): Value | undefined
  set(id: string, value: Value): void
  values(): Iterable<Value>
  /** Oldest first. An id that was set again may appear twice, its current value last. */
  entries(): Iterable<readonly [string, Value]>
}

/**
 * Keeps every entry for which `isNeeded` is true and at least the latest `most` of the rest. There are two generations:
 * when the younger one is full, the older one is dropped except for needed entries. Deleting entries one by one would
 * cost more than all the arithmetic of a reservation, because a `Map` skips over every deleted entry when it looks for
 * its first one. `onDrop` is called with each dropped value.
 */
export function createAgingMap<Value>(
  most: number,
  isNeeded: (value: Value) => boolean = () => false,
  onDrop: (value: Value) => void = () => {},
): AgingMap<Value> {
  let younger = new Map<string, Value>()
  let older = new Map<string, Value>()
  let room = most

  function turn(): void {
    const dropped = older
    older = younger
    younger = new Map()
    for (const [id, value] of dropped) {
      if (isNeeded(value)) younger.set(id, value)
      else onDrop(value)
    }
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
