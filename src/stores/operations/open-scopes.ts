import {
  type Amounts,
  type AmountVector,
  addAmount,
  ceilingsAmong,
  counterIndex,
  decideSpawn,
  isEnded,
  levelBelow,
  type NewScope,
  type OpenOutcome,
  type OpenRequest,
  type ScopeAbout,
  ScopeExistsError,
  TooManyScopesError,
  vectorFromAmounts,
} from '../../core/index.ts'
import { raiseAlert } from './alerts/raise-alert.ts'
import { watchRates } from './alerts/watch-rates.ts'
import { announce, type Crossed } from './charge-on-path.ts'
import { countDenial, recordCrossings } from './history/record-event.ts'
import { recordOpened } from './history/record-scope.ts'
import { sizeHoldOnPath } from './hold-on-path.ts'
import { assertHolderLives } from './holders.ts'
import type { OpenedScope } from './journal-fact.ts'
import { setLimits } from './set-limits.ts'
import { type Ledger, scopeIn } from './state/ledger.ts'
import type { ScopeState } from './state/ledger-state.ts'
import { blockOnPath, countAll, createScopeState, turnPath } from './state/scope-state.ts'
import { heldToCeilings, writeLimits } from './write-limits.ts'

const SPAWNS = counterIndex('spawns')
const ONE_SPAWN = vectorFromAmounts({ spawns: 1 }, 'open')
const DEEPEST_PATH = 256
const NO_CEILINGS = { ceilings: [] }

export function openScopes(ledger: Ledger, request: OpenRequest): OpenOutcome {
  const parent = request.parentId === null ? null : scopeIn(ledger, request.parentId)
  if (parent !== null && parent.rootToSelf.length >= DEEPEST_PATH) throw new TooManyScopesError('depth', DEEPEST_PATH)
  for (const { owner } of request.scopes) if (owner !== null) assertHolderLives(ledger, owner)
  const ended = request.scopes.find(({ id }) => hasEnded(ledger, id))
  if (ended !== undefined) return { kind: 'closed', scopeId: ended.id }
  const fresh = request.scopes.filter((scope) => !isOpenAlready(ledger, scope, parent))
  const starting = request.scopes.filter((scope) => startsNow(ledger, scope))
  const orphans = request.scopes.filter(
    (scope) => ledger.scopes.get(scope.id)?.isOrphaned === true && !starting.includes(scope),
  )
  const moving = request.scopes.filter((scope) => movesToOwner(ledger, scope))
  const asked = fresh.length + starting.length + orphans.length
  if (asked + moving.length === 0) return { kind: 'opened', created: [], adopted: [], crossings: [] }
  const returning = orphans.filter(({ id }) => scopeIn(ledger, id).status !== 'queued').length
  const refusal = parent === null || asked === 0 ? null : admit(parent, { fresh, starting, returning }, request)
  if (refusal !== null) {
    if (refusal.kind === 'refused' && !refusal.mayFitLater) {
      countDenial(ledger, parent!.rootToSelf, refusal.breaches[0], request.atMs)
    }
    return refusal
  }
  const crossed: Crossed = { crossings: [], alerts: [] }
  for (const scope of fresh) addScope(ledger, parent, scope, request.atMs, crossed)
  const { crossings, alerts } = crossed
  if (parent !== null) recordCrossings(ledger, parent.rootToSelf, crossings, request.atMs)
  for (const alert of alerts) raiseAlert(ledger, alert, request.atMs)
  for (const { id, owner } of starting) adoptScope(ledger, scopeIn(ledger, id), owner, request.atMs, { starts: true })
  for (const scope of orphans) adoptAs(ledger, scope, request.atMs)
  for (const { id, owner } of moving) adoptScope(ledger, scopeIn(ledger, id), owner, request.atMs, { takesOver: true })
  // Holds are sized last, because sizing may switch to other windows than the one in which the children are counted.
  for (const { id, hold } of [...fresh, ...starting, ...orphans]) {
    if (hold !== undefined) sizeHoldOnPath(scopeIn(ledger, id), hold, request.atMs)
  }
  const ids = (scopes: readonly NewScope[]): readonly string[] => scopes.map(({ id }) => id)
  return { kind: 'opened', created: ids([...fresh, ...starting]), adopted: ids([...orphans, ...moving]), crossings }
}

/** Whether it was queued, and starts now. */
function startsNow({ scopes }: Ledger, { id, isQueued }: NewScope): boolean {
  return isQueued !== true && scopes.get(id)?.status === 'queued'
}

/** Whether a living owner loses it to the one in the request. */
function movesToOwner({ scopes }: Ledger, { id, owner, takesOver }: NewScope): boolean {
  const known = scopes.get(id)
  if (takesOver !== true || owner === null || known === undefined) return false
  return known.owner !== owner && !known.isOrphaned && known.status !== 'queued'
}

function addScope(ledger: Ledger, parent: ScopeState | null, scope: NewScope, atMs: number, crossed: Crossed): void {
  const { id, name, kind, owner, labels = {}, isQueued } = scope
  const sequence = ++ledger.sequence
  const written = heldToCeilings(NO_CEILINGS, { limits: scope.limits, ceilings: scope.ceilings ?? [] })
  const queued = isQueued === true ? { isQueued } : {}
  const opened = { id, name, kind, owner, ...written, labels, ...queued, sequence }
  const state = addOpened(ledger, parent, opened, atMs, crossed, scope.about)
  recordOpened(ledger, state, atMs)
}

/** Adds an open scope without checking that it is allowed. */
export function addOpened(
  ledger: Ledger,
  parent: ScopeState | null,
  opened: OpenedScope,
  atMs: number,
  crossed: Crossed,
  about?: ScopeAbout,
): ScopeState {
  const described = about === undefined ? opened : { ...opened, about }
  const state = createScopeState(parent, described, atMs, ledger.changes)
  ledger.scopes.add(state)
  const { limits, ceilings = ceilingsAmong(limits), sequence } = opened
  writeLimits(ledger, state, { limits, ceilings }, atMs, sequence)
  ledger.changes?.append(state, { kind: 'opened', at: atMs, parent: parent?.id ?? null, scope: opened })
  if (parent !== null) countChild(ledger, parent, state, crossed, atMs)
  return state
}

/** Adopts a scope that is to be opened: it keeps its limits and ceilings, and those in the request tighten them. */
function adoptAs(ledger: Ledger, { id, owner, limits, ceilings = [] }: NewScope, atMs: number): void {
  const scope = scopeIn(ledger, id)
  adoptScope(ledger, scope, owner, atMs)
  const present = scope.limits.map(({ limit }) => limit)
  const written = heldToCeilings(scope, { limits: present, ceilings: [...ceilings, ...ceilingsAmong(limits)] })
  const isTighter = JSON.stringify(written.ceilings) !== JSON.stringify(scope.ceilings)
  if (isTighter) setLimits(ledger, scope, written, null, atMs)
}

/** How a scope gets another owner than by adoption. */
interface OwnerChange {
  readonly starts?: true
  readonly takesOver?: true
}

/** Gives the scope an owner, and a place unless it is queued or taken over. */
export function adoptScope(
  ledger: Ledger,
  scope: ScopeState,
  owner: string | null,
  atMs: number,
  how: OwnerChange = {},
): void {
  takeOwner(scope, { owner, ...how })
  ledger.changes?.scope(scope)
  ledger.changes?.append(scope, { kind: 'adopted', at: atMs, scope: scope.id, owner, ...how })
  ledger.steered(scope)
}

/** What an adoption changes in the scope itself. */
export function takeOwner(scope: ScopeState, by: OwnerChange & { readonly owner: string | null }): void {
  scope.owner = by.owner
  if (by.takesOver === true) return
  scope.isOrphaned = false
  if (by.starts === true && scope.status === 'queued') scope.status = 'running'
  if (scope.status !== 'queued') takePlace(scope)
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

/** The scopes of a request, by what happens to each. */
interface Asked {
  readonly fresh: readonly NewScope[]
  readonly starting: readonly NewScope[]
  /** How many existing scopes come back and take a place again. */
  readonly returning: number
}

function admit(parent: ScopeState, { fresh, starting, returning }: Asked, request: OpenRequest): OpenOutcome | null {
  const path = parent.rootToSelf
  const blocked = blockOnPath(path, false)
  if (blocked !== null) return blocked
  const vectorOf = (amounts: Amounts | undefined): AmountVector | null =>
    amounts === undefined ? null : vectorFromAmounts(amounts, `open under "${parent.path}"`)
  const [needs, promised] = [vectorOf(request.needs), vectorOf(request.promised)]
  turnPath(path, request.atMs)
  const begun = [...fresh, ...starting]
  const level = begun.reduce((deepest, { kind }) => Math.max(deepest, levelBelow(parent.level, kind)), parent.level)
  const spawns = fresh.filter(isSpawn).length
  const places = begun.filter(({ isQueued }) => isQueued !== true).length + returning
  const decision = decideSpawn(path, { count: begun.length, spawns, places, level, needs, promised })
  return decision.kind === 'fits'
    ? null
    : { kind: 'refused', mayFitLater: decision.mayFitLater, breaches: decision.breaches }
}

/** A group is not an agent: only the agents that it starts are counted. */
function isSpawn({ kind }: Pick<NewScope, 'kind'>): boolean {
  return kind !== 'group'
}

/** A spawn is settled at once: an opened child stays counted. */
function countChild(ledger: Ledger, parent: ScopeState, child: ScopeState, crossed: Crossed, atMs: number): void {
  if (child.status !== 'queued') takePlace(child)
  if (!isSpawn(child)) return
  for (const scope of parent.rootToSelf) {
    countAll(scope, ONE_SPAWN)
    for (const series of scope.series) {
      if (series.index !== SPAWNS) continue
      const { present } = series
      present.settled = addAmount(present.settled, 1)
      scope.changes?.counter(series, present)
      if (present.settled >= present.mark) announce(scope, series, present, crossed, ledger.alerts)
    }
  }
  watchRates(ledger, parent, null, ONE_SPAWN, atMs)
}
