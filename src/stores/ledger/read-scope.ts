import { COUNTER_METERS, type LimitReading, overrunOf, remainingOf, type ScopeReading } from '../../core/index.ts'
import { peekRow } from './counter-series.ts'
import type { LimitState, ScopeState } from './ledger-state.ts'
import { announcedOn } from './limit-state.ts'
import { lifeSeries } from './scope-state.ts'

/** How a scope stands, as data that later changes do not touch. */
export function readScope(scope: ScopeState, atMs: number): ScopeReading {
  const totals = COUNTER_METERS.map((meter, index) => {
    const { settled, reserved } = lifeSeries(scope, index)?.present ?? { settled: 0, reserved: 0 }
    return [meter, { settled, reserved }] as const
  })
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
    pause: scope.pause,
    activeMs: scope.activeMs,
    openChildren: scope.openChildren,
    revision: scope.revision,
    totals: Object.fromEntries(totals) as ScopeReading['totals'],
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
