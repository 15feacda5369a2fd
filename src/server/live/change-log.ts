/** What can change in the live tree. */
export type ChangeKind = 'scope' | 'gone' | 'request' | 'alert'

export interface Change {
  readonly kind: ChangeKind
  readonly id: string
  /** The scope and those above it, by which a caller may see it or not. */
  readonly idsOnPath: readonly string[]
}

// Twice as many are kept for a moment. A reader that is further behind loads everything again.
const MOST_KEPT = 20_000

/** Numbered changes, of which the oldest are forgotten. */
export interface ChangeLog {
  /** The number of the last one. */
  readonly version: number
  add(change: Change): void
  /** What came after a number, in order; `null` if part of it is forgotten. */
  after(version: number): readonly Change[] | null
}

export function createChangeLog(): ChangeLog {
  const changes: Change[] = []
  let forgotten = 0
  return {
    get version() {
      return forgotten + changes.length
    },
    add(change) {
      changes.push(change)
      if (changes.length > 2 * MOST_KEPT) forgotten += changes.splice(0, MOST_KEPT).length
    },
    after(version) {
      if (version < forgotten || version > forgotten + changes.length) return null
      return changes.slice(version - forgotten)
    },
  }
}
