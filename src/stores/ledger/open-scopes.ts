import {
  addAmount,
  ceilingsAmong,
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
import { sizeHoldOnPath } from './hold-on-path.ts'
import { assertHolderLives } from './holders.ts'
import type { OpenedScope } from './journal-fact.ts'
import { type Ledger, scopeIn } from './ledger.ts'
import type { ScopeState } from './ledger-state.ts'
import { blockOnPath, countAll, createScopeState, turnPath } from './scope-state.ts'
import { setLimits } from './set-limits.ts'
import { heldToCeilings, writeLimits } from './write-limits.ts'

const SPAWNS = counterIndex('spawns')
const ONE_SPAWN = vectorFromAmounts({ spawns: 1 }, 'open')
const DEEPEST_PATH = 256
const NO_CEILINGS = { ceilings: [] }

/** Opens all scopes of the request, or none. */
export function openScopes(ledger: Ledger, request: OpenRequest): OpenOutcome {
  const parent = request.parentId === null ? null : scopeIn(ledger, request.parentId)
  if (parent !== null && parent.rootToSelf.length >= DEEPEST_PATH) throw new TooManyScopesError('depth', DEEPEST_PATH)
  for (const { owner } of request.scopes) if (owner !== null) assertHolderLives(ledger, owner)
  const ended = request.scopes.find(({ id }) => hasEnded(ledger, id))
  if (ended !== undefined) return { kind: 'closed', scopeId: ended.id }
  const fresh = request.scopes.filter((scope) => !isOpenAlready(ledger, scope, parent))
  const orphans = request.scopes.filter(({ id }) => ledger.scopes.get(id)?.isOrphaned === true)
  if (fresh.length + orphans.length === 0) return { kind: 'opened', created: [], adopted: [], crossings: [] }
  const refusal = parent === null ? null : admit(parent, fresh, orphans.length, request)
  if (refusal !== null) return refusal
  const crossings: LimitCrossing[] = []
  for (const scope of fresh) addScope(ledger, parent, scope, request.atMs, crossings)
  for (const scope of orphans) adoptAs(ledger, scope, request.atMs)
  // Holds are sized last: that looks at other windows than the one in which the children are counted.
  for (const { id, hold } of [...fresh, ...orphans]) {
    if (hold !== undefined) sizeHoldOnPath(scopeIn(ledger, id), hold, request.atMs)
  }
  const ids = (scopes: readonly NewScope[]): readonly string[] => scopes.map(({ id }) => id)
  return { kind: 'opened', created: ids(fresh), adopted: ids(orphans), crossings }
}

function addScope(
  ledger: Ledger,
  parent: ScopeState | null,
  scope: NewScope,
  atMs: number,
  crossings: LimitCrossing[],
): void {
  const { id, name, kind, owner, labels = {} } = scope
  const sequence = ++ledger.sequence
  const written = heldToCeilings(NO_CEILINGS, { limits: scope.limits, ceilings: scope.ceilings ?? [] })
  addOpened(ledger, parent, { id, name, kind, owner, ...written, labels, sequence }, atMs, crossings)
}

/** Adds a scope that is open from now on, whether or not it may be. */
export function addOpened(
  ledger: Ledger,
  parent: ScopeState | null,
  opened: OpenedScope,
  atMs: number,
  crossings: LimitCrossing[],
): void {
  const state = createScopeState(parent, opened, atMs, ledger.changes)
  ledger.scopes.add(state)
  const { limits, ceilings = ceilingsAmong(limits), sequence } = opened
  writeLimits(ledger, state, { limits, ceilings }, atMs, sequence)
  ledger.changes?.append(state, { kind: 'opened', at: atMs, parent: parent?.id ?? null, scope: opened })
  if (parent !== null) countChild(parent, state, crossings)
}

/** Adopts what is to be opened: it keeps its limits and its ceilings, and those that it is opened with tighten them. */
function adoptAs(ledger: Ledger, { id, owner, limits, ceilings = [] }: NewScope, atMs: number): void {
  const scope = scopeIn(ledger, id)
  adoptScope(ledger, scope, owner, atMs)
  const present = scope.limits.map(({ limit }) => limit)
  const written = heldToCeilings(scope, { limits: present, ceilings: [...ceilings, ...ceilingsAmong(limits)] })
  const isTighter = JSON.stringify(written.ceilings) !== JSON.stringify(scope.ceilings)
  if (isTighter) setLimits(ledger, scope, written, null, atMs)
}

/** Somebody runs the scope again: it has an owner and a place. */
export function adoptScope(ledger: Ledger, scope: ScopeState, owner: string | null, atMs: number): void {
  scope.owner = owner
  scope.isOrphaned = false
  takePlace(scope)
  ledger.changes?.scope(scope)
  ledger.changes?.append(scope, { kind: 'adopted', at: atMs, scope: scope.id, owner })
  ledger.steered(scope)
}

/** Counts a scope among the open children of its parent. Idempotent. */
export function takePlace(scope: ScopeState): void {
  if (scope.parent === null || scope.occupiesPlace) return
  scope.occupiesPlace = true
  scope.parent.openChildren++
  scope.changes?.scope(scope)
  scope.changes?.touch(scope.parent)
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

function admit(
  parent: ScopeState,
  scopes: readonly NewScope[],
  returning: number,
  request: OpenRequest,
): OpenOutcome | null {
  const path = parent.rootToSelf
  const blocked = blockOnPath(path, false)
  if (blocked !== null) return blocked
  const needs = request.needs === undefined ? null : vectorFromAmounts(request.needs, `open under "${parent.path}"`)
  turnPath(path, request.atMs)
  const level = scopes.reduce((deepest, { kind }) => Math.max(deepest, levelBelow(parent.level, kind)), parent.level)
  const decision = decideSpawn(path, { count: scopes.length, places: scopes.length + returning, level, needs })
  return decision.kind === 'fits'
    ? null
    : { kind: 'refused', mayFitLater: decision.mayFitLater, breaches: decision.breaches }
}

/** A spawn is settled at once: a child that was opened was opened. */
function countChild(parent: ScopeState, child: ScopeState, crossings: LimitCrossing[]): void {
  takePlace(child)
  for (const scope of parent.rootToSelf) {
    countAll(scope, ONE_SPAWN)
    for (const series of scope.series) {
      if (series.index !== SPAWNS) continue
      const { present } = series
      present.settled = addAmount(present.settled, 1)
      scope.changes?.counter(series, present)
      if (present.settled >= present.mark) announce(scope, series, present, crossings)
    }
  }
}
