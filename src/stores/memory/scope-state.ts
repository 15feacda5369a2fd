import {
  type AmountVector,
  COUNTER_METERS,
  childPath,
  compareLimits,
  counterIndex,
  type EndStatus,
  type Hold,
  type Limit,
  levelBelow,
  limitKey,
  type NewScope,
  type ScopeKind,
  type SpawnBalance,
  type Status,
} from '../../core/index.ts'
import { type CounterState, createLimitState, type LimitState, rewriteLimit, rollTo } from './limit-state.ts'

/** A hold on one limit of the scope's path. */
export interface HoldState extends Hold {
  readonly on: LimitState
  readonly amount: number
}

/** A scope as the memory store keeps it; as a `ScopeBalance`, what the decision looks at. */
export interface ScopeState extends SpawnBalance {
  readonly id: string
  readonly parent: ScopeState | null
  readonly name: string
  readonly path: string
  readonly kind: ScopeKind
  readonly level: number
  readonly owner: string | null
  /** The scope and its ancestors, root first. */
  readonly rootToSelf: readonly ScopeState[]
  limits: LimitState[]
  /** The counters without a limit over the whole life, made when first needed. */
  unlimited: CounterState[]
  /** A bit for the index of every counter that stands in `limits` or `unlimited`. */
  counted: number
  /** Those of the limits that have a period, so that only they are looked at when time goes on. */
  windowed: LimitState[]
  holds: HoldState[]
  status: Status
  openChildren: number
  /** Whether it counts in its parent's `openChildren`. */
  occupiesPlace: boolean
}

/** A new scope, open and running. It counts nowhere yet. */
export function createScopeState(
  parent: ScopeState | null,
  scope: NewScope,
  atMs: number,
  sequence: number,
): ScopeState {
  const rootToSelf: ScopeState[] = []
  const state: ScopeState = {
    id: scope.id,
    parent,
    name: scope.name,
    path: childPath(parent?.path ?? null, scope.name),
    kind: scope.kind,
    level: levelBelow(parent?.level ?? null, scope.kind),
    owner: scope.owner,
    rootToSelf,
    limits: [],
    unlimited: [],
    counted: 0,
    windowed: [],
    holds: [],
    status: 'running',
    openChildren: 0,
    occupiesPlace: false,
  }
  if (parent !== null) rootToSelf.push(...parent.rootToSelf)
  rootToSelf.push(state)
  writeLimits(state, scope.limits, atMs, sequence)
  return state
}

/** Replaces the limits. One that was there before keeps its counts; a new one with a period counts from now on. */
export function writeLimits(scope: ScopeState, limits: readonly Limit[], atMs: number, sequence: number): void {
  const before = new Map(scope.limits.map((state) => [limitKey(state.limit), state]))
  const life = COUNTER_METERS.map((_, index) => lifeCounter(scope, index))
  scope.limits = limits.toSorted(compareLimits).map((limit) => {
    const known = before.get(limitKey(limit))
    if (known === undefined || known.limit.timeZone !== limit.timeZone) {
      return createLimitState(limit, life[counterIndex(limit.meter)] ?? null, atMs, sequence)
    }
    rewriteLimit(known, limit)
    return known
  })
  scope.windowed = scope.limits.filter((state) => state.otherWindows !== null)
  scope.unlimited = []
  scope.counted = 0
  for (const state of scope.limits) if (isLifeCounter(state)) scope.counted |= 1 << state.index
  for (const counter of life) if (counter !== null) keepCounter(scope, counter)
}

function isLifeCounter(state: LimitState): boolean {
  return state.index >= 0 && state.otherWindows === null
}

/** A counter whose limit was taken away goes on counting without one. */
function keepCounter(scope: ScopeState, { index, settled, reserved }: CounterState): void {
  if ((scope.counted & (1 << index)) !== 0) return
  scope.unlimited.push({ index, settled, reserved })
  scope.counted |= 1 << index
}

/** What a counter stands at over the life of the scope; `null` if nothing was ever counted. */
export function lifeCounter(scope: ScopeState, index: number): CounterState | null {
  const isIt = (counter: CounterState): boolean => counter.index === index
  return scope.limits.find((state) => isIt(state) && isLifeCounter(state)) ?? scope.unlimited.find(isIt) ?? null
}

/** Makes sure that the scope counts every meter that `amounts` has something of. */
export function countAll(scope: ScopeState, amounts: AmountVector): void {
  for (let index = 0; index < amounts.length; index++) {
    if (amounts[index] !== 0) keepCounter(scope, { index, settled: 0, reserved: 0 })
  }
}

/** A bit for every index at which there is something. */
export function touchedBy(amounts: AmountVector): number {
  let bits = 0
  for (let index = 0; index < amounts.length; index++) if (amounts[index] !== 0) bits |= 1 << index
  return bits
}

/** Moves every limit with a period on the path to the window at `atMs`. */
export function rollPath(rootToLeaf: readonly ScopeState[], atMs: number): void {
  for (let depth = 0; depth < rootToLeaf.length; depth++) {
    const { windowed } = rootToLeaf[depth]!
    for (let place = 0; place < windowed.length; place++) rollTo(windowed[place]!, atMs)
  }
}

const ENDED: ReadonlySet<Status> = new Set<EndStatus>([
  'completed',
  'limit-reached',
  'timed-out',
  'failed',
  'stopped',
  'detached',
])

/** Whether the scope was closed. */
export function hasEnded(scope: ScopeState): boolean {
  return scope.status !== 'running' && ENDED.has(scope.status)
}

/** The outermost scope on the path that has ended, if one has. */
export function endedOnPath(rootToLeaf: readonly ScopeState[]): ScopeState | null {
  for (let depth = 0; depth < rootToLeaf.length; depth++) if (hasEnded(rootToLeaf[depth]!)) return rootToLeaf[depth]!
  return null
}
