import type { DenialCount, HolderReading, IncreaseRecord, KeyRecord } from '../../core/index.ts'
import type { Changes, JournalFact, ReservationRecord, ScopeState } from '../operations/index.ts'
import type { CounterRow, CounterSeries, StoredEvent } from '../operations/state/ledger-state.ts'

/** The changes of the operations of one transaction, each record once, to be written at its end. */
export interface ChangeLog extends Changes {
  readonly scopes: Set<ScopeState>
  readonly touched: Set<ScopeState>
  readonly steered: Set<ScopeState>
  readonly counters: Map<CounterRow, CounterSeries>
  readonly droppedCounters: Map<CounterRow, CounterSeries>
  readonly holds: Map<string, ChangedHold>
  /** New ones, in their current state. */
  readonly newReservations: Set<ReservationRecord>
  /** Others that were charged. */
  readonly chargedReservations: Set<ReservationRecord>
  readonly requests: Map<string, IncreaseRecord>
  readonly keys: Map<string, KeyRecord>
  readonly holders: Map<string, HolderReading>
  /** `null`: dropped. */
  readonly documents: Map<string, string | null>
  readonly keptTexts: Map<string, string>
  readonly events: Set<ToldEvent>
  readonly denials: Map<string, ToldDenial>
  /** The facts by root. */
  readonly facts: Map<ScopeState, JournalFact[]>
  readonly isEmpty: boolean
  clear(): void
}

interface ToldEvent extends StoredEvent {
  readonly scope: ScopeState
}

interface ToldDenial extends DenialCount {
  readonly scope: ScopeState
}

interface ChangedHold {
  readonly scopeId: string
  readonly key: string
  readonly holderId: string
  readonly amount: number
  /** Whether it was released in between: a hold that is taken again goes to the end of the order. */
  readonly wasDropped: boolean
}

export function createChangeLog(): ChangeLog {
  const changed = {
    scopes: new Set<ScopeState>(),
    touched: new Set<ScopeState>(),
    steered: new Set<ScopeState>(),
    counters: new Map<CounterRow, CounterSeries>(),
    droppedCounters: new Map<CounterRow, CounterSeries>(),
    holds: new Map<string, ChangedHold>(),
    newReservations: new Set<ReservationRecord>(),
    chargedReservations: new Set<ReservationRecord>(),
    requests: new Map<string, IncreaseRecord>(),
    keys: new Map<string, KeyRecord>(),
    holders: new Map<string, HolderReading>(),
    documents: new Map<string, string | null>(),
    keptTexts: new Map<string, string>(),
    events: new Set<ToldEvent>(),
    denials: new Map<string, ToldDenial>(),
    facts: new Map<ScopeState, JournalFact[]>(),
  }
  const { scopes, touched, counters, droppedCounters, holds, newReservations, chargedReservations, facts } = changed
  const all = Object.values(changed)
  return {
    ...changed,
    get isEmpty() {
      for (const { size } of all) if (size > 0) return false
      return true
    },
    scope: (scope) => scopes.add(scope),
    touch: (scope) => touched.add(scope),
    counter(series, row) {
      counters.set(row, series)
      touched.add(series.scope as ScopeState)
    },
    dropCounter(series, row) {
      counters.delete(row)
      droppedCounters.set(row, series)
    },
    hold(owner, key, holder, amount) {
      touched.add(owner).add(holder)
      const id = JSON.stringify([key, holder.id])
      const wasDropped = amount === 0 || holds.get(id)?.wasDropped === true
      // A hold that is taken again goes to the end of the order, here as well.
      if (wasDropped) holds.delete(id)
      holds.set(id, { scopeId: owner.id, key, holderId: holder.id, amount, wasDropped })
    },
    reserved: (record) => newReservations.add(record),
    charged(record) {
      if (!newReservations.has(record)) chargedReservations.add(record)
    },
    request: (request) => changed.requests.set(request.id, request),
    key: (key) => changed.keys.set(key.id, key),
    holder: (reading) => changed.holders.set(reading.holder, reading),
    document: (scopeId, text) => changed.documents.set(scopeId, text),
    kept: (name, text) => changed.keptTexts.set(name, text),
    event(scope, event) {
      changed.events.add({ ...event, scope })
    },
    denied(scope, { meter, per, resetsAt, lastAtMs }) {
      touched.add(scope)
      const key = JSON.stringify([scope.id, meter, per, resetsAt])
      const { count = 0 } = changed.denials.get(key) ?? {}
      changed.denials.set(key, { scope, meter, per, resetsAt, count: count + 1, lastAtMs })
    },
    append(scope, fact) {
      const root = scope.rootToSelf[0]!
      const known = facts.get(root)
      if (known === undefined) facts.set(root, [fact])
      else known.push(fact)
    },
    clear() {
      // Clearing an empty map costs as much as a full one, and a call changes five of them.
      for (const each of all) if (each.size > 0) each.clear()
    },
  }
}
