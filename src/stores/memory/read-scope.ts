import { COUNTER_METERS, type LimitReading, overrunOf, remainingOf, type ScopeReading } from '../../core/index.ts'
import type { LimitState } from './limit-state.ts'
import { lifeCounter, type ScopeState } from './scope-state.ts'

/** How a scope stands, as data that later changes do not touch. */
export function readScope(scope: ScopeState): ScopeReading {
  const totals = COUNTER_METERS.map((meter, index) => {
    const { settled, reserved } = lifeCounter(scope, index) ?? { settled: 0, reserved: 0 }
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
    status: scope.status,
    openChildren: scope.openChildren,
    totals: Object.fromEntries(totals) as ScopeReading['totals'],
    limits: scope.limits.map(readLimit),
  }
}

function readLimit(state: LimitState): LimitReading {
  return {
    limit: state.limit,
    settled: state.settled,
    reserved: state.reserved,
    held: state.held,
    remaining: remainingOf(state),
    overrun: overrunOf(state),
    resetsAt: state.resetsAt,
    announced: state.announced,
  }
}
