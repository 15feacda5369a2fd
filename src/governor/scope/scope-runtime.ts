import {
  type AgingMap,
  type Amounts,
  type Clock,
  type CounterMeter,
  type CreateId,
  type EndStatus,
  type EventSubject,
  type HoldAsk,
  type LedgerStore,
  type Limit,
  type LimitReading,
  METERS,
  type ResumeRequest,
  type ScopeKind,
} from '../../core/index.ts'
import type { ResolvedLimits } from '../../policy/index.ts'
import type { PriceBook } from '../../pricing/index.ts'
import type { Conversation } from '../calls/closing/conversation.ts'
import type { ComparedMessages } from '../calls/compared-messages.ts'
import type { Debts } from '../calls/debts.ts'
import type { WaitingLine } from '../calls/waiting/waiting-line.ts'
import type { EventHub } from '../events/event-hub.ts'
import type { Scope } from '../governor.ts'
import type { OpenIncrease } from '../steering/increase.ts'
import type { Activity } from './activity.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { ScopeClocks } from './scope-clocks.ts'

/** What all scopes of one governor share. */
export interface GovernorContext {
  readonly store: LedgerStore
  readonly clock: Clock
  readonly createId: CreateId
  /** Calls are by far the most that a ledger keeps: their ids are made for it. */
  readonly createReservationId: CreateId
  readonly hub: EventHub
  readonly line: WaitingLine
  /** Who this governor is in the store; another one once that was declared dead. */
  holder: string
  readonly createHolder: () => string
  /** Over when everything that a dead holder of ours ran is adopted again, or let go of. */
  adopting: Promise<void>
  readonly waitMs: number
  readonly graceMs: number
  readonly prices: PriceBook
  readonly queueLength: number
  readonly mostRefusals: number
  readonly living: Map<string, ScopeRuntime>
  /** How the last scopes that ended here did: the store may not have heard of it yet, or may answer from before. */
  readonly endedLately: AgingMap<EndStatus>
  readonly increases: Map<string, OpenIncrease>
  /** Requests that are on their way to the store, by the key of their limit. */
  readonly asking: Map<string, Promise<OpenIncrease | null>>
  readonly debts: Debts
  readonly isHolderAlive: (holder: string) => boolean | null
  /** Those who wait for a paused scope: called when one goes on or ends. */
  readonly onMove: Set<() => void>
  /** From then on nothing is opened. */
  isClosed: boolean
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
  activity: Activity
  clocks: ScopeClocks
  /** Aborted when nothing may go on, not even a closing call. Another one once a raise has let it go on. */
  controller: AbortController
  /** Aborted when its work must stop. Another one once a raise has let it go on. */
  work: AbortController
  readonly startedAtMs: number
  /** Whose it is, whether it works, stands or is over, and what stopped it. Written by `apply` alone. */
  readonly life: Lifecycle
  /** Of its limits, as we know them. */
  revision: number
  resolved: ResolvedLimits
  limits: readonly Limit[]
  readonly steering: Steering
  readonly closing: Closing
  /** How many tool calls that were to end its work have failed. */
  failedEnds: number
  /** Whether one of them has not: its answer is there. */
  hasEndedWork: boolean
  /** What its model calls have shown of their conversation. */
  readonly conversation: Conversation
  /** What calls of it and of everything below it settled, for the records that people read. */
  turns: number
  costNanoUsd: number
  /** What displays are made from. */
  known: KnownUsage
  readonly provider: ProviderRecord
  readonly messages: ComparedMessages
  queued: number
  /** What it was admitted for and has not asked for yet; `null` once it has. */
  needs: Amounts | null
  /** The same of everything below it. */
  readonly promised: Partial<Record<CounterMeter, number>>
  /** What its loop needs to go on, should it be paused now; `null` where no loop has said. */
  readConversation: (() => unknown) | null
  handle: Scope | null
}

/** What this process knows of a scope's usage without asking the store. */
interface KnownUsage {
  /** How its limits stood when they were last read; empty where it was opened here and not read since. */
  readonly readings: readonly LimitReading[]
  /** What calls of it and of everything below it settled here since. */
  readonly since: Partial<Record<CounterMeter, number>>
}

/** What of a scope is on its way to the store. */
interface Steering {
  /** Done when every change of ours has reached the store: what is read of it before may be old. */
  underway: Promise<unknown>
  /** Over when the resume by hand that is under way is; `null` while none is. What is asked for meanwhile comes after. */
  resuming: Promise<unknown> | null
  /** What the store must be told, should it go on here and the store not know it yet. */
  owedResume: ResumeRequest | null
}

/** The closing call of a scope, and what is held back for it. */
interface Closing {
  /** Whether it ends with one; `null` where nobody has said. */
  wrapsUp: boolean | null
  hasWrappedUp: boolean
  /** Whether its loop is in a program that is only known by its requests. */
  runsElsewhere: boolean
  /** What its closing call would take now; `null` before its first model call, and where it has none. */
  holdAsk: HoldAsk | null
}

/** How providers have treated the calls of a scope. */
interface ProviderRecord {
  /** How many model calls of it and of everything below it a provider has refused, as far as this process knows. */
  refused: number
  /** The same of its own calls, since the last that was answered. */
  refusedInRow: number
  /** How many of its own calls in a row the upstream left without an end. */
  leftOpenInRow: number
}

/** Whether a scope is followed here. Not by its id: one that went elsewhere and was found again is another. */
export function isLiving(runtime: ScopeRuntime): boolean {
  return runtime.context.living.get(runtime.id) === runtime
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

/** How long a scope of ours has worked, to be kept with what is written of it. */
export function activeMsOf({ life, clocks }: ScopeRuntime): { readonly activeMs?: number } {
  return life.isOwned ? { activeMs: clocks.usedMs('time') } : {}
}
