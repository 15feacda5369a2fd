import { type CloseOutcome, type CloseRequest, isEnded } from '../../core/index.ts'
import { holdOnPath } from './hold-on-path.ts'
import { type Ledger, rememberClosed, scopeIn } from './ledger.ts'
import type { ScopeState } from './scope-state.ts'

/** Ends a scope. A second end changes nothing. */
export function closeScope(ledger: Ledger, request: CloseRequest): CloseOutcome {
  const scope = scopeIn(ledger, request.scopeId)
  if (isEnded(scope.status)) return { kind: 'duplicate', status: scope.status }
  scope.status = request.status
  freePlace(scope)
  scope.parent?.children?.delete(scope)
  freeHoldsBelow(scope)
  rememberClosed(ledger, scope.id)
  return { kind: 'closed' }
}

/** Gives back what a scope keeps only while it lives: its hold, and its place among its parent's children. */
export function freePlace(scope: ScopeState): void {
  holdOnPath(scope, [])
  if (!scope.occupiesPlace || scope.parent === null) return
  scope.occupiesPlace = false
  scope.parent.openChildren--
}

/** Nothing is admitted below an end, so nothing there has a closing call to pay for. */
function freeHoldsBelow(scope: ScopeState): void {
  for (const child of scope.children ?? []) {
    holdOnPath(child, [])
    freeHoldsBelow(child)
  }
}
