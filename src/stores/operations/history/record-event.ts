import {
  type Breach,
  COUNTER_METERS,
  type EventDraft,
  type EventSubject,
  eventHeader,
  type LimitCrossing,
  limitEventFromBreach,
  limitEventsFromCrossing,
} from '../../../core/index.ts'
import type { Ledger } from '../state/ledger.ts'
import type { ScopeState } from '../state/ledger-state.ts'

/** Numbers the next event in the tree of a scope. */
export function nextNumber(scope: ScopeState): number {
  const root = scope.rootToSelf[0]!
  root.changes?.touch(root)
  return ++root.told
}

/** Stores what happened to a scope. */
export function recordEvent(ledger: Ledger, scope: ScopeState, atMs: number, draft: EventDraft): void {
  ledger.history?.add(scope, { number: nextNumber(scope), atMs, draft })
}

/** Stores which thresholds were passed, as events of the scopes that have the limits. */
export function recordCrossings(
  ledger: Ledger,
  path: readonly ScopeState[],
  crossings: readonly LimitCrossing[],
  atMs: number,
): void {
  for (const passed of crossings) {
    const scope = path.find(({ id }) => id === passed.scopeId)
    if (scope === undefined) continue
    for (const draft of limitEventsFromCrossing(atMs, subjectOf(scope, atMs), passed))
      recordEvent(ledger, scope, atMs, draft)
  }
}

/** Stores that a request exceeded limits. */
export function recordExceeded(
  ledger: Ledger,
  path: readonly ScopeState[],
  breaches: readonly Breach[],
  atMs: number,
): void {
  for (const breach of breaches) {
    const scope = path.find(({ id }) => id === breach.scope)
    if (scope === undefined) continue
    const moment = { event: 'limit_exceeded', atMs } as const
    recordEvent(ledger, scope, atMs, limitEventFromBreach(moment, subjectOf(scope, atMs), breach))
  }
}

/** Counts a refusal on the limit that decided it. */
export function countDenial(
  ledger: Ledger,
  path: readonly ScopeState[],
  { scope: scopeId, meter, per, resetsAt }: Breach,
  atMs: number,
): void {
  const scope = path.find(({ id }) => id === scopeId)
  if (scope !== undefined) ledger.history?.deny(scope, { meter, per, resetsAt, lastAtMs: atMs })
}

/** The common fields of an event about a scope. */
export function headerFor<Name extends EventDraft['event']>(scope: ScopeState, event: Name, atMs: number) {
  return eventHeader({ event, atMs }, subjectOf(scope, atMs), scope)
}

/** The subject of a scope's events. The run is the outermost scope that is not lasting. */
export function subjectOf(scope: ScopeState, atMs: number): EventSubject {
  const run = scope.rootToSelf.find(({ kind }) => kind !== 'lasting') ?? scope
  return {
    runId: run.id,
    taskId: scope.labels.taskId ?? run.labels.taskId ?? null,
    agentName: scope.name,
    agentType: scope.labels.agentType ?? null,
    elapsedMs: Math.max(0, atMs - scope.openedAtMs),
    accumulatedCostNanoUsd: settledOf(scope, COST),
    turns: settledOf(scope, TOOL_CALLS),
  }
}

const COST = COUNTER_METERS.indexOf('cost')
const TOOL_CALLS = COUNTER_METERS.indexOf('toolCalls')

function settledOf({ series }: ScopeState, index: number): number {
  for (const each of series) if (each.index === index && each.per === null) return each.present.settled
  return 0
}
