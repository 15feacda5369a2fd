import {
  addAmount,
  assertLimits,
  assertScopeName,
  assertTime,
  counterIndex,
  decideSpawn,
  isEnded,
  type LimitCrossing,
  levelBelow,
  type NewScope,
  type OpenOutcome,
  type OpenRequest,
  ScopeExistsError,
  TooManyScopesError,
  vectorFromAmounts,
} from '../../core/index.ts'
import { announce } from './charge-on-path.ts'
import { assertHold, sizeHoldOnPath } from './hold-on-path.ts'
import { type Ledger, scopeIn } from './ledger.ts'
import { countAll, createScopeState, endedOnPath, type ScopeState, turnPath } from './scope-state.ts'
import { writeLimits } from './write-limits.ts'

const SPAWNS = counterIndex('spawns')
const ONE_SPAWN = vectorFromAmounts({ spawns: 1 }, 'open')
const LARGEST_GROUP = 10_000
const DEEPEST_PATH = 256

/** Opens all scopes of the request, or none. */
export function openScopes(ledger: Ledger, request: OpenRequest): OpenOutcome {
  assertTime(request.atMs, 'open')
  const parent = request.parentId === null ? null : scopeIn(ledger, request.parentId)
  assertScopes(request.scopes, parent)
  const ended = request.scopes.find(({ id }) => hasEnded(ledger, id))
  if (ended !== undefined) return { kind: 'closed', scopeId: ended.id }
  const fresh = request.scopes.filter((scope) => !isOpenAlready(ledger, scope, parent))
  if (fresh.length === 0) return { kind: 'opened', created: [], crossings: [] }
  const refusal = parent === null ? null : admit(parent, fresh, request)
  if (refusal !== null) return refusal
  const crossings: LimitCrossing[] = []
  for (const scope of fresh) {
    const state = createScopeState(parent, scope)
    writeLimits(state, scope.limits, request.atMs, ++ledger.sequence)
    ledger.scopes.set(state.id, state)
    if (parent !== null) countChild(parent, state, crossings)
    if (scope.hold !== undefined) sizeHoldOnPath(state, scope.hold, request.atMs)
  }
  return { kind: 'opened', created: fresh.map(({ id }) => id), crossings }
}

/** Everything that can be wrong is found before anything is opened. */
function assertScopes(scopes: readonly NewScope[], parent: ScopeState | null): void {
  if (scopes.length > LARGEST_GROUP) throw new TooManyScopesError('group', LARGEST_GROUP)
  if (parent !== null && parent.rootToSelf.length >= DEEPEST_PATH) throw new TooManyScopesError('depth', DEEPEST_PATH)
  const ids = new Set<string>()
  for (const { id, name, limits, hold } of scopes) {
    assertScopeName(name)
    assertLimits(limits, `open "${name}"`)
    assertHold(hold ?? null, `open "${name}", hold`)
    if (ids.has(id)) throw new ScopeExistsError(id)
    ids.add(id)
  }
}

function hasEnded(ledger: Ledger, scopeId: string): boolean {
  const known = ledger.scopes.get(scopeId)
  return known !== undefined && isEnded(known.status)
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
  turnPath(path, request.atMs)
  const level = scopes.reduce((deepest, { kind }) => Math.max(deepest, levelBelow(parent.level, kind)), parent.level)
  const decision = decideSpawn(path, { count: scopes.length, level, needs })
  return decision.fits ? null : { kind: 'refused', mayFitLater: decision.mayFitLater, breaches: decision.breaches }
}

/** A spawn is settled at once: a child that was opened was opened. */
function countChild(parent: ScopeState, child: ScopeState, crossings: LimitCrossing[]): void {
  parent.openChildren++
  parent.children.add(child)
  child.occupiesPlace = true
  for (const scope of parent.rootToSelf) {
    countAll(scope, ONE_SPAWN)
    for (const { index, present } of scope.series) {
      if (index === SPAWNS) present.settled = addAmount(present.settled, 1)
    }
    for (const state of scope.limits) {
      if (state.index === SPAWNS && state.counter.settled >= state.mark)
        announce(scope, state, state.counter, crossings)
    }
  }
}
