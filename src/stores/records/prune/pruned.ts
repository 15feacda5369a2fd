/** What was deleted from a tree. */
export interface Pruned {
  readonly scopes: number
  readonly reservations: number
  readonly entries: number
  readonly events: number
}

/** The sum for a tree that was pruned twice. */
export function prunedTogether(before: Pruned | undefined, now: Pruned): Pruned {
  if (before === undefined) return now
  return {
    scopes: before.scopes + now.scopes,
    reservations: before.reservations + now.reservations,
    entries: before.entries + now.entries,
    events: before.events + now.events,
  }
}
