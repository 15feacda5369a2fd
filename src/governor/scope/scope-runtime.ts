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
import type { ComparedMessages } from '../calls/compared-messages.ts'
import type { PendingWrites } from '../calls/pending-writes.ts'
import type { WaitingLine } from '../calls/waiting/waiting-line.ts'
import type { Conversation } from '../calls/wrap-up/conversation.ts'
import type { EventHub } from '../events/event-hub.ts'
import type { Scope } from '../governor.ts'
import type { OpenIncrease } from '../steering/increase.ts'
import type { Activity } from './clocks/activity.ts'
import type { ScopeClocks } from './clocks/scope-clocks.ts'
import type { Lifecycle } from './lifecycle.ts'

/** What all scopes of one governor share. */
export interface GovernorContext {
  readonly store: LedgerStore
  readonly clock: Clock
  readonly createId: CreateId
  /** Calls are the bulk of a ledger, so their ids are optimized for it. */
  readonly createReservationId: CreateId
  readonly hub: EventHub
  readonly line: WaitingLine
  /** The name of this governor in the store; replaced once it is declared dead. */
  holder: string
  readonly createHolder: () => string
  /** Whether the history has the commands and tasks of its scopes. */
  readonly keepsCommands: boolean
  /** Resolves when everything that a dead holder of ours ran is adopted again, or released. */
  adopting: Promise<void>
  readonly waitMs: number
  readonly graceMs: number
  readonly prices: PriceBook
  readonly queueLength: number
  readonly mostRefusals: number
  readonly living: Map<string, ScopeRuntime>
  /** The status of the last scopes that ended here: the store may not know yet, or may answer with older data. */
  readonly endedLately: AgingMap<EndStatus>
  readonly increases: Map<string, OpenIncrease>
  /** Requests on their way to the store, by the key of their limit. */
  readonly asking: Map<string, Promise<OpenIncrease | null>>
  readonly pendingWrites: PendingWrites
  readonly isHolderAlive: (holder: string) => boolean | null
  /** Callbacks of those waiting for a paused scope: called when one continues or ends. */
  readonly onMove: Set<() => void>
  /** From then on, nothing is opened. */
  isClosed: boolean
}

/** A scope as it exists in this process. The store knows what it spent; this knows what it is doing. */
export interface ScopeRuntime {
  readonly context: GovernorContext
  readonly id: string
  readonly name: string
  readonly path: string
  readonly kind: ScopeKind
  readonly parent: ScopeRuntime | null
  readonly rootToSelf: readonly ScopeRuntime[]
  /** The ids from the root down. */
  readonly pathIds: readonly string[]
  readonly children: Set<ScopeRuntime>
  readonly taskId: string | null
  readonly agentType: string | null
  activity: Activity
  clocks: ScopeClocks
  /** Aborted when nothing may continue, not even a closing call. Replaced if a raise lets the scope continue. */
  controller: AbortController
  /** Aborted when its work must stop. Replaced if a raise lets the scope continue. */
  work: AbortController
  readonly startedAtMs: number
  /** Who owns it, whether it is working, paused or over, and what stopped it. Written only by `changeLifecycle`. */
  readonly life: Lifecycle
  /** The revision of its limits, as known here. */
  revision: number
  resolved: ResolvedLimits
  limits: readonly Limit[]
  readonly steering: Steering
  readonly closing: Closing
  /** How many tool calls that were meant to end its work have failed. */
  failedEnds: number
  /** Whether one of them has succeeded: its answer is there. */
  hasEndedWork: boolean
  /** What its model calls reveal about their conversation. */
  readonly conversation: Conversation
  /** Turns and cost that it and everything below it have settled, for the records. */
  turns: number
  costNanoUsd: number
  /** What displays are based on. */
  known: KnownUsage
  readonly provider: ProviderRecord
  readonly messages: ComparedMessages
  queued: number
  /** What it was admitted for and has not reserved yet; `null` once it has. */
  needs: Amounts | null
  /** The same for everything below it. */
  readonly promised: Partial<Record<CounterMeter, number>>
  /** Reads what its loop needs to continue if it is paused now; `null` if no loop has set it. */
  readConversation: (() => unknown) | null
  /** What was last stored of a conversation whose requests may reach any process; `null` for any other scope. */
  roaming: { document: string | null } | null
  handle: Scope | null
}

/** What this process knows of a scope's usage without asking the store. */
interface KnownUsage {
  /** Its limits when they were last read; empty if it was opened here and not read since. */
  readonly readings: readonly LimitReading[]
  /** What calls of it and of everything below it have settled here since, in the order of the counters. */
  readonly since: number[]
}

/** Changes of a scope that are on their way to the store. */
interface Steering {
  /** Resolves when all our changes have reached the store: anything read before may be out of date. */
  underway: Promise<unknown>
  /**
   * Resolves when the current manual resume is done; `null` if there is none. Changes requested meanwhile come after
   * it.
   */
  resuming: Promise<unknown> | null
  /** The resume that must still be written to the store, if the scope continues here. */
  owedResume: ResumeRequest | null
}

/** The closing call of a scope, and what is held for it. */
interface Closing {
  /** Whether it ends with one; `null` if not specified. */
  wrapsUp: boolean | null
  hasWrappedUp: boolean
  /** Whether its loop is in a program known only by its requests. */
  runsElsewhere: boolean
  /** What its closing call would take now; `null` before its first model call, or if it has none. */
  holdAsk: HoldAsk | null
}

/** How providers have treated the calls of a scope. */
interface ProviderRecord {
  /** How many model calls of it and of everything below it providers have refused, as far as this process knows. */
  refused: number
  /** The same for its own calls, since the last answer. */
  refusedInRow: number
  /** How many of its own calls in a row the upstream left unfinished. */
  leftOpenInRow: number
}

/** Whether a scope is tracked here. Not by its id: a scope that moved elsewhere and was found again is a new object. */
export function isLiving(runtime: ScopeRuntime): boolean {
  return runtime.context.living.get(runtime.id) === runtime
}

/** The subject of this scope's events. The run is the outermost scope that is not lasting. */
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

/** Whether a limit is on a clock, which the scope itself keeps. */
export function isClockLimit({ meter }: Limit): boolean {
  return METERS[meter].kind === 'clock'
}

/** How long a scope of ours has worked, to be stored with other changes. */
export function activeMsOf({ life, clocks }: ScopeRuntime): { readonly activeMs?: number } {
  return life.isOwned ? { activeMs: clocks.usedMs('time') } : {}
}
