import type { DenialCount } from '../../../core/index.ts'
import { kindOf } from '../history/record-call.ts'
import type { HistoryRange, HistoryTable } from './ledger.ts'
import type { ReservationRecord, ScopeState, StoredEvent } from './ledger-state.ts'

// Over all trees. Older events are dropped.
const EVENTS_KEPT = 10_000
const SCOPES_WITH_DENIALS_KEPT = 1_000

export interface MemoryHistory extends HistoryTable {
  /** Counts every change. */
  readonly changes: number
  /** The ids of the roots in whose trees something changed after that count. */
  changedSince(count: number): readonly string[]
}

interface KeptEvent extends StoredEvent {
  readonly scope: ScopeState
}

/** What happened, as far back as memory keeps it: older events, and the reservations of older calls, are dropped. */
export function createMemoryHistory(reservations: () => Iterable<ReservationRecord>): MemoryHistory {
  let events: KeptEvent[] = []
  const denials = new Map<ScopeState, Map<string, DenialCount>>()
  const changed = new Map<string, number>()
  let changes = 0

  function touch(scope: ScopeState): void {
    changed.set(scope.rootToSelf[0]!.id, ++changes)
  }

  return {
    get changes() {
      return changes
    },
    changedSince: (count) => [...changed].filter(([, at]) => at > count).map(([root]) => root),
    touch,
    add(scope, event) {
      touch(scope)
      events.push({ ...event, scope })
      if (events.length > 2 * EVENTS_KEPT) events = events.slice(-EVENTS_KEPT)
    },
    deny(scope, { meter, per, resetsAt, lastAtMs }) {
      touch(scope)
      const counts = denials.get(scope) ?? new Map<string, DenialCount>()
      const key = JSON.stringify([meter, per, resetsAt])
      const { count = 0 } = counts.get(key) ?? {}
      counts.set(key, { meter, per, resetsAt, count: count + 1, lastAtMs })
      denials.delete(scope)
      denials.set(scope, counts)
      if (denials.size > SCOPES_WITH_DENIALS_KEPT) denials.delete(denials.keys().next().value!)
    },
    denials: (scope) => denials.get(scope)?.values() ?? [],
    events(range) {
      const { kinds } = range
      const meant = events.filter(({ draft }) => kinds === null || kinds.has(draft.event))
      return inRange(meant, range, ({ number }) => number)
    },
    calls(range, by) {
      const { kinds } = range
      const meant = [...reservations()].filter((record) => kinds === null || kinds.has(kindOf(record, by)))
      return inRange(meant, range, ({ told, correction }) => (by === 'end' ? told : (correction?.told ?? null)))
    },
    forgotten(root) {
      const kept = new Set<number>()
      for (const { scope, number } of events) if (scope.rootToSelf[0] === root) kept.add(number)
      for (const { scope, told, correction } of reservations()) {
        if (scope.rootToSelf[0] !== root) continue
        if (told !== null) kept.add(told)
        if (correction !== null) kept.add(correction.told)
      }
      let number = root.told
      while (number > 0 && kept.has(number)) number--
      return number
    },
  }
}

function inRange<Item extends { readonly scope: ScopeState }>(
  items: readonly Item[],
  { scope, after, before, most, latest }: HistoryRange,
  numberOf: (item: Item) => number | null,
): readonly Item[] {
  const found = items.flatMap((item) => {
    const number = item.scope.rootToSelf.includes(scope) ? numberOf(item) : null
    return number !== null && number > after && number < before ? [{ item, number }] : []
  })
  found.sort((left, right) => (latest ? right.number - left.number : left.number - right.number))
  return found.slice(0, most).map(({ item }) => item)
}
