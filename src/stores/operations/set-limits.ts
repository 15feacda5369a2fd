import {
  compareLimits,
  isEnforced,
  type Limit,
  type SetLimitsOutcome,
  type SetLimitsRequest,
  storableTextOrNull,
} from '../../core/index.ts'
import { recordLimits } from './history/record-scope.ts'
import { keepRequest } from './keep-request.ts'
import { type Ledger, scopeIn } from './state/ledger.ts'
import type { ScopeState } from './state/ledger-state.ts'
import { heldToCeilings, type WrittenLimits, writeLimits } from './write-limits.ts'

/** Replaces the limits of a scope, unless they were changed since the caller looked. */
export function replaceLimits(ledger: Ledger, request: SetLimitsRequest): SetLimitsOutcome {
  const { scopeId, expectedRevision, atMs } = request
  const by = storableTextOrNull(request.by)
  const scope = scopeIn(ledger, scopeId)
  const { limits, ceilings } = heldToCeilings(scope, { limits: request.limits, ceilings: [] })
  if (expectedRevision !== undefined && expectedRevision !== scope.revision) {
    // A request that is repeated because its answer was lost isn't a conflict.
    const isWritten = JSON.stringify(scope.limits.map(({ limit }) => limit)) === JSON.stringify(inOrder(limits))
    return { kind: isWritten ? 'written' : 'stale', revision: scope.revision }
  }
  setLimits(ledger, scope, { limits, ceilings }, by, atMs)
  return { kind: 'written', revision: scope.revision }
}

/** Writes limits, capped at the scope's ceilings, and notifies its owner. */
export function setLimits(
  ledger: Ledger,
  scope: ScopeState,
  { limits, ceilings }: WrittenLimits,
  by: string | null,
  at: number,
): void {
  const sequence = ++ledger.sequence
  const before = scope.limits.map(({ limit }) => limit)
  writeLimits(ledger, scope, { limits, ceilings }, at, sequence)
  const written = { limits: inOrder(limits), ceilings }
  ledger.changes?.append(scope, { kind: 'limits', at, scope: scope.id, ...written, by, sequence })
  recordLimits(ledger, scope, before, by, at)
  ledger.steered(scope)
  answerRaised(ledger, scope, by, at)
}

/** Answers the requests for a limit that is higher now, or gone. */
function answerRaised(ledger: Ledger, scope: ScopeState, by: string | null, at: number): void {
  for (const open of ledger.requests.openOf(scope.id)) {
    const { meter, per, limit: before, asked } = open
    const present = scope.limits.filter(({ limit }) => limit.meter === meter && limit.per === per)
    const enforced = present.filter(({ limit }) => isEnforced(limit.action)).map(({ limit }) => limit.max)
    if (enforced.some((max) => max <= before)) continue
    const granted = enforced.length === 0 ? asked : Math.min(...enforced) - before
    keepRequest(ledger, scope, { ...open, status: 'approved', granted, by, answeredAtMs: at }, at)
  }
}

function inOrder(limits: readonly Limit[]): readonly Limit[] {
  return limits.toSorted(compareLimits)
}
