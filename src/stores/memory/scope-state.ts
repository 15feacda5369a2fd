import {
  type AmountVector,
  childPath,
  type Hold,
  isEnded,
  levelBelow,
  type NewScope,
  type ScopeKind,
  type SpawnBalance,
  type Status,
} from '../../core/index.ts'
import { type CounterSeries, createLifeSeries, turnTo } from './counter-series.ts'
import { type LimitState, pointToPresent } from './limit-state.ts'

/** A scope as the memory store keeps it; as a `SpawnBalance`, what the decisions look at. */
export interface ScopeState extends SpawnBalance {
  readonly id: string
  readonly parent: ScopeState | null
  readonly name: string
  readonly path: string
  readonly kind: ScopeKind
  readonly level: number
  owner: string | null
  /** Whether its owner died: nobody runs it until it is adopted. */
  isOrphaned: boolean
  /** The scope and its ancestors, root first. */
  readonly rootToSelf: readonly ScopeState[]
  /** Its children that have not ended; made with the first. */
  children: Set<ScopeState> | null
  /** Every counter of it: one over its life for each meter that was used or limited, and those with a period. */
  readonly series: CounterSeries[]
  /** Those with a period, so that only they are looked at when time goes on. */
  readonly periodSeries: CounterSeries[]
  /** A bit for the index of every counter that has a series over the life. */
  counted: number
  limits: LimitState[]
  /**
   * Who holds how much on each of its limits, in the order in which the holds were taken; also while a limit is taken
   * away, since it may come back before the hold goes. Made with the first hold.
   */
  holders: Map<string, Map<ScopeState, number>> | null
  holds: readonly Hold[]
  status: Status
  openChildren: number
  /** Whether it counts in its parent's `openChildren`. */
  occupiesPlace: boolean
  revision: number
}

/** A new scope, running and without limits. It counts nowhere yet. */
export function createScopeState(parent: ScopeState | null, scope: NewScope): ScopeState {
  const rootToSelf: ScopeState[] = []
  const state: ScopeState = {
    id: scope.id,
    parent,
    name: scope.name,
    path: childPath(parent?.path ?? null, scope.name),
    kind: scope.kind,
    level: levelBelow(parent?.level ?? null, scope.kind),
    owner: scope.owner,
    isOrphaned: false,
    rootToSelf,
    children: null,
    series: [],
    periodSeries: [],
    counted: 0,
    limits: [],
    holders: null,
    holds: [],
    status: 'running',
    openChildren: 0,
    occupiesPlace: false,
    revision: 0,
  }
  if (parent !== null) for (const ancestor of parent.rootToSelf) rootToSelf.push(ancestor)
  rootToSelf.push(state)
  return state
}

/** The counter of a meter over the life of the scope; `null` if nothing was ever counted. */
export function lifeSeries(scope: ScopeState, index: number): CounterSeries | null {
  return scope.series.find((series) => series.index === index && series.per === null) ?? null
}

/** Makes sure that the scope counts every meter that `amounts` has something of. */
export function countAll(scope: ScopeState, amounts: AmountVector): void {
  for (let index = 0; index < amounts.length; index++) {
    if (amounts[index] === 0 || (scope.counted & (1 << index)) !== 0) continue
    scope.series.push(createLifeSeries(index))
    scope.counted |= 1 << index
  }
}

/** A bit for every index at which there is something. */
export function touchedBy(amounts: AmountVector): number {
  let bits = 0
  for (let index = 0; index < amounts.length; index++) if (amounts[index] !== 0) bits |= 1 << index
  return bits
}

/** Turns every counter with a period on the path to its window at `atMs`. */
export function turnPath(rootToLeaf: readonly ScopeState[], atMs: number): void {
  for (let depth = 0; depth < rootToLeaf.length; depth++) {
    const { periodSeries } = rootToLeaf[depth]!
    for (let place = 0; place < periodSeries.length; place++) turn(rootToLeaf[depth]!, periodSeries[place]!, atMs)
  }
}

/** The same, but never back behind a window that was counted in: what lasts over windows is sized in the latest. */
export function turnPathForward(rootToLeaf: readonly ScopeState[], atMs: number): void {
  for (const scope of rootToLeaf) {
    for (const series of scope.periodSeries) turn(scope, series, Math.max(atMs, series.latestStartMs))
  }
}

function turn(scope: ScopeState, series: CounterSeries, atMs: number): void {
  if (!turnTo(series, atMs)) return
  for (const state of scope.limits) if (state.series === series) pointToPresent(state)
}

/** The outermost scope on the path that has ended, if one has. */
export function endedOnPath(rootToLeaf: readonly ScopeState[]): ScopeState | null {
  for (let depth = 0; depth < rootToLeaf.length; depth++) {
    const scope = rootToLeaf[depth]!
    if (scope.status !== 'running' && isEnded(scope.status)) return scope
  }
  return null
}
