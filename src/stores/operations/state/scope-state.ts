import {
  type AmountVector,
  type Blocked,
  childPath,
  isEnded,
  keptAbout,
  levelBelow,
  type NewScope,
} from '../../../core/index.ts'
import { createLifeSeries, turnTo } from './counter-series.ts'
import type { Changes, CounterSeries, ScopeState } from './ledger-state.ts'
import { pointToPresent } from './limit-state.ts'

/** A new scope, running and without limits. It isn't counted anywhere yet. */
export function createScopeState(
  parent: ScopeState | null,
  scope: Omit<NewScope, 'limits' | 'ceilings' | 'hold'>,
  openedAtMs: number,
  changes: Changes | null,
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
    isOrphaned: false,
    rootToSelf,
    changes,
    openedAtMs,
    closedAtMs: null,
    labels: scope.labels === undefined ? NO_LABELS : Object.freeze({ ...scope.labels }),
    about: keptAbout(scope.about),
    told: 0,
    watch: null,
    pause: null,
    activeMs: 0,
    series: [],
    periodSeries: [],
    counted: 0,
    limits: [],
    ceilings: [],
    holders: null,
    holds: [],
    status: scope.isQueued === true ? 'queued' : 'running',
    openChildren: 0,
    occupiesPlace: false,
    revision: 0,
  }
  if (parent !== null) for (const ancestor of parent.rootToSelf) rootToSelf.push(ancestor)
  rootToSelf.push(state)
  return state
}

const NO_LABELS: Readonly<Record<string, string>> = Object.freeze({})

/** The counter of a meter over the life of the scope; `null` if nothing was ever counted. */
export function lifeSeries(scope: ScopeState, index: number): CounterSeries | null {
  return scope.series.find((series) => series.index === index && series.per === null) ?? null
}

/** Makes sure that the scope counts every meter in `amounts`. */
export function countAll(scope: ScopeState, amounts: AmountVector): void {
  for (let index = 0; index < amounts.length; index++) {
    if (amounts[index] === 0 || (scope.counted & (1 << index)) !== 0) continue
    scope.series.push(createLifeSeries(scope, scope.series.length, index))
    scope.counted |= 1 << index
    scope.changes?.scope(scope)
  }
}

/** One bit per index with an amount. */
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

/**
 * The same, but never back before a window that was counted in: what outlasts windows is sized in the latest one.
 * `false` if no window changed.
 */
export function turnPathForward(rootToLeaf: readonly ScopeState[], atMs: number): boolean {
  let hasTurned = false
  for (const scope of rootToLeaf) {
    for (const series of scope.periodSeries) {
      if (turn(scope, series, Math.max(atMs, series.latestStartMs))) hasTurned = true
    }
  }
  return hasTurned
}

function turn(scope: ScopeState, series: CounterSeries, atMs: number): boolean {
  if (!turnTo(series, atMs)) return false
  scope.changes?.scope(scope)
  for (const state of scope.limits) if (state.series === series) pointToPresent(state)
  return true
}

/** What blocks admission on the path: the outermost end, or the outermost pause. */
export function blockOnPath(rootToLeaf: readonly ScopeState[], isClosing: boolean): Blocked | null {
  for (let depth = 0; depth < rootToLeaf.length; depth++) {
    const { id, status, pause } = rootToLeaf[depth]!
    if (status === 'running') continue
    if (isEnded(status)) return { kind: 'closed', scopeId: id }
    if (!isClosing && pause !== null && pause.requestId === null) return { kind: 'paused', scopeId: id, pause }
  }
  return null
}

/** The outermost scope on the path that has ended, if any. */
export function endedOnPath(rootToLeaf: readonly ScopeState[]): ScopeState | null {
  for (let depth = 0; depth < rootToLeaf.length; depth++) {
    const scope = rootToLeaf[depth]!
    if (scope.status !== 'running' && isEnded(scope.status)) return scope
  }
  return null
}
