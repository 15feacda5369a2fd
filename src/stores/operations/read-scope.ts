import {
  COUNTER_METERS,
  type Counter,
  type CounterMeter,
  type LimitReading,
  overrunOf,
  remainingOf,
  type ScopeReading,
} from '../../core/index.ts'
import { peekRow } from './state/counter-series.ts'
import type { LimitState, ScopeState } from './state/ledger-state.ts'
import { announcedOn } from './state/limit-state.ts'

const NOTHING: Counter = Object.freeze({ settled: 0, reserved: 0 })

/** A snapshot of a scope. */
export function readScope(scope: ScopeState, atMs: number): ScopeReading {
  const totals: Partial<Record<CounterMeter, Counter>> = {}
  for (const meter of COUNTER_METERS) totals[meter] = NOTHING
  for (const { per, index, present } of scope.series) {
    if (per === null) totals[COUNTER_METERS[index]!] = { settled: present.settled, reserved: present.reserved }
  }
  return {
    id: scope.id,
    parentId: scope.parent?.id ?? null,
    name: scope.name,
    path: scope.path,
    kind: scope.kind,
    level: scope.level,
    owner: scope.owner,
    isOrphaned: scope.isOrphaned,
    status: scope.status,
    openedAtMs: scope.openedAtMs,
    closedAtMs: scope.closedAtMs,
    labels: scope.labels,
    about: scope.about,
    pause: scope.pause,
    activeMs: scope.activeMs,
    openChildren: scope.openChildren,
    revision: scope.revision,
    totals: totals as ScopeReading['totals'],
    limits: scope.limits.map((state) => readLimit(scope, state, atMs)),
    ceilings: scope.ceilings,
  }
}

function readLimit(scope: ScopeState, state: LimitState, atMs: number): LimitReading {
  const { key, limit, index, held, series } = state
  const row = series === null ? state.counter : peekRow(series, atMs)
  const counter = {
    settled: limit.meter === 'concurrency' ? scope.openChildren : row.settled,
    reserved: row.reserved,
  }
  const resetsAt = series === null || series.per === null ? null : row.endMs
  const balance = { key, limit, index, counter, held, resetsAt }
  return {
    limit,
    ...counter,
    held,
    remaining: remainingOf(balance),
    overrun: overrunOf(balance),
    resetsAt,
    announced: announcedOn(row, key),
  }
}
