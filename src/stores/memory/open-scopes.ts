import {
  addAmount,
  assertScopeName,
  counterIndex,
  decideSpawn,
  levelBelow,
  type NewScope,
  type OpenOutcome,
  type OpenRequest,
  ScopeExistsError,
  vectorFromAmounts,
} from '../../core/index.ts'
import { holdOnPath } from './hold-on-path.ts'
import { type Ledger, scopeIn } from './ledger.ts'
import { countAll, createScopeState, endedOnPath, rollPath, type ScopeState } from './scope-state.ts'

const SPAWNS = counterIndex('spawns')
const ONE_SPAWN = vectorFromAmounts({ spawns: 1 }, 'open')

/** Opens all scopes of the request, or none. */
export function openScopes(ledger: Ledger, request: OpenRequest): OpenOutcome {
  const parent = request.parentId === null ? null : scopeIn(ledger, request.parentId)
  for (const scope of request.scopes) assertScopeName(scope.name)
  const fresh = request.scopes.filter((scope) => !isOpenAlready(ledger, scope, parent))
  if (fresh.length === 0) return { kind: 'opened' }
  if (parent !== null) {
    const refusal = admit(parent, fresh, request)
    if (refusal !== null) return refusal
  }
  for (const scope of fresh) addScope(ledger, parent, scope, request.atMs)
  return { kind: 'opened' }
}

function isOpenAlready(ledger: Ledger, scope: NewScope, parent: ScopeState | null): boolean {
  const known = ledger.scopes.get(scope.id)
  if (known === undefined) return false
  if (known.parent !== parent || known.name !== scope.name) throw new ScopeExistsError(scope.id)
  return true
}

function admit(parent: ScopeState, scopes: readonly NewScope[], request: OpenRequest): OpenOutcome | null {
  const path = parent.rootToSelf
  const ended = endedOnPath(path)
  if (ended !== null) return { kind: 'closed', scopeId: ended.id }
  const needs = request.needs === undefined ? null : vectorFromAmounts(request.needs, `open under "${parent.path}"`)
  rollPath(path, request.atMs)
  const level = Math.max(...scopes.map((scope) => levelBelow(parent.level, scope.kind)))
  const decision = decideSpawn(path, { count: scopes.length, level, needs })
  return decision.fits ? null : { kind: 'refused', mayFitLater: decision.mayFitLater, breaches: decision.breaches }
}

function addScope(ledger: Ledger, parent: ScopeState | null, scope: NewScope, atMs: number): void {
  const state = createScopeState(parent, scope, atMs, ++ledger.sequence)
  ledger.scopes.set(state.id, state)
  if (parent !== null) {
    parent.openChildren++
    state.occupiesPlace = true
    for (const ancestor of parent.rootToSelf) countSpawn(ancestor)
  }
  if (scope.hold !== undefined) holdOnPath(state, scope.hold)
}

/** A spawn is settled at once: a child that was opened was opened. */
function countSpawn(scope: ScopeState): void {
  countAll(scope, ONE_SPAWN)
  for (const counts of [...scope.limits, ...scope.unlimited]) {
    if (counts.index === SPAWNS) counts.settled = addAmount(counts.settled, 1)
  }
}
