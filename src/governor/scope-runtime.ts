import {
  type Breaches,
  type Clock,
  type CreateId,
  type EventSubject,
  type LedgerStore,
  type Limit,
  METERS,
  type ScopeKind,
  type Status,
} from '../core/index.ts'
import type { ResolvedLimits } from '../policy/index.ts'
import type { Activity } from './activity.ts'
import type { EventHub } from './event-hub.ts'
import type { Scope } from './governor.ts'
import type { ScopeClocks } from './scope-clocks.ts'
import type { WaitingLine } from './waiting-line.ts'

/** What all scopes of one governor share. */
export interface GovernorContext {
  readonly store: LedgerStore
  readonly clock: Clock
  readonly createId: CreateId
  readonly hub: EventHub
  readonly line: WaitingLine
  readonly holder: string
  readonly waitMs: number
  readonly queueLength: number
  readonly living: Map<string, ScopeRuntime>
}

/** A scope as it lives in this process. The store knows what it spent; this knows what it is doing. */
export interface ScopeRuntime {
  readonly context: GovernorContext
  readonly id: string
  readonly name: string
  readonly path: string
  readonly kind: ScopeKind
  readonly parent: ScopeRuntime | null
  readonly rootToSelf: readonly ScopeRuntime[]
  readonly children: Set<ScopeRuntime>
  readonly taskId: string | null
  readonly agentType: string | null
  readonly activity: Activity
  readonly clocks: ScopeClocks
  readonly controller: AbortController
  readonly startedAtMs: number
  resolved: ResolvedLimits
  limits: readonly Limit[]
  status: Status
  /** Why nothing more is admitted, though the scope has not ended yet. */
  halt: Breaches | null
  /** What calls of it and of everything below it settled, for the records that people read. */
  turns: number
  costNanoUsd: number
  queued: number
  handle: Scope | null
}

/** The ids from the root down. */
export function pathIds(runtime: ScopeRuntime): readonly string[] {
  return runtime.rootToSelf.map(({ id }) => id)
}

/** Who an event of this scope is about. The run is the outermost scope that somebody runs. */
export function subjectOf(runtime: ScopeRuntime): EventSubject {
  const run = runtime.rootToSelf.find(({ kind }) => kind !== 'lasting') ?? runtime
  return {
    runId: run.id,
    taskId: runtime.taskId ?? run.taskId,
    agentName: runtime.name,
    agentType: runtime.agentType,
    elapsedMs: Math.floor(runtime.context.clock.monotonicMs() - runtime.startedAtMs),
    accumulatedCostNanoUsd: runtime.costNanoUsd,
    turns: runtime.turns,
  }
}

/** Whether a limit is one of a clock, which the scope itself keeps. */
export function isClockLimit({ meter }: Limit): boolean {
  return METERS[meter].kind === 'clock'
}
