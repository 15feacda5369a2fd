import { type CloseOutcome, type CloseRequest, isEnded, storableText } from '../../core/index.ts'
import { watchEnds } from './alerts/watch-ends.ts'
import { denyOpenRequests } from './answer-request.ts'
import { recordClosed } from './history/record-scope.ts'
import { holdOnPath } from './hold-on-path.ts'
import { noteActive } from './note-active.ts'
import { type Ledger, scopeIn } from './state/ledger.ts'
import type { ScopeState } from './state/ledger-state.ts'

/** Ends a scope. Ending it again changes nothing. */
export function closeScope(ledger: Ledger, request: CloseRequest): CloseOutcome {
  const scope = scopeIn(ledger, request.scopeId)
  if (isEnded(scope.status)) return { kind: 'duplicate', status: scope.status }
  scope.status = request.status
  scope.closedAtMs = request.atMs
  scope.pause = null
  noteActive(ledger, scope, request)
  freePlace(scope)
  freeHoldsBelow(ledger, scope)
  denyOpenRequests(ledger, scope, request.atMs)
  // It holds a conversation or a whole command, which are stored only as long as they are needed to continue.
  ledger.dropDocument(scope.id)
  ledger.changes?.scope(scope)
  const { status, reason, atMs } = request
  const by = request.by === undefined ? {} : { by: storableText(request.by) }
  ledger.changes?.append(scope, { kind: 'closed', at: atMs, scope: scope.id, status, ...by })
  recordClosed(ledger, scope, { status, reason, by }, atMs)
  watchEnds(ledger, scope, status, atMs)
  ledger.scopes.ended(scope)
  ledger.steered(scope)
  return { kind: 'closed' }
}

/** Frees what a scope has only while it works: its hold, and its place among its parent's children. */
export function freePlace(scope: ScopeState): void {
  holdOnPath(scope, [])
  if (!scope.occupiesPlace || scope.parent === null) return
  scope.occupiesPlace = false
  scope.parent.openChildren--
  scope.changes?.scope(scope)
  scope.changes?.touch(scope.parent)
}

/** Nothing is admitted below an ended scope, so no closing call there needs a hold. */
function freeHoldsBelow(ledger: Ledger, scope: ScopeState): void {
  for (const child of ledger.scopes.openBelow(scope)) {
    holdOnPath(child, [])
    freeHoldsBelow(ledger, child)
  }
}
