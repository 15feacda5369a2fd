import type {
  Amounts,
  Clock,
  CreateId,
  EndStatus,
  LedgerStore,
  Limit,
  Meter,
  MeterUsage,
  Status,
} from '../core/index.ts'
import type { ActionWord, ExplanationRow, LayerInput, LimitsInput, SharedLimits } from '../policy/index.ts'
import type { PriceBook } from '../pricing/index.ts'
import type {
  CallOutcome,
  ModelAnswer,
  ModelCallSpec,
  ModelGrant,
  Refusal,
  Reservation,
  ReserveOptions,
  ToolGrant,
  ToolSpec,
} from './call.ts'
import type { EventListener } from './events/event-delivery.ts'
import type { Subscribe } from './events/event-hub.ts'
import type { IncreaseRequest } from './steering/increase.ts'

/** What a governor is made of. Every part has a default that needs no server and no network. */
export interface GovernorOptions {
  /** Default: in memory. */
  readonly store?: LedgerStore
  /** What models cost. Default: the book that comes with Stint. */
  readonly prices?: PriceBook
  readonly clock?: Clock
  readonly createId?: CreateId
  /** Told of every event; the same as `governor.on(listener)`. */
  readonly onEvent?: EventListener
  /** How long a reservation waits for room that calls in flight may give back. Default: 10 minutes. */
  readonly waitMs?: number
  /** How long a call that must stop may take to do so before it is given up. Default: 5 seconds. */
  readonly graceMs?: number
  /** How many children may queue for a place among their parent's. Default: 100. */
  readonly queueLength?: number
  /** After so many calls in a row that its provider refused, a run ends as `failed`. Default: 20. */
  readonly mostRefusals?: number
  /**
   * Who keeps the reservations, told apart from every other process. A function is asked again for another one, should
   * that be declared dead; a text has a number added to it then. Default: this process.
   */
  readonly holder?: string | (() => string)
  /**
   * Whether a holder still lives; `null` if that cannot be known: then its heartbeats in the store say it. What a dead
   * one left open is charged in full.
   */
  readonly isHolderAlive?: (holder: string) => boolean | null
}

/** The front door: scopes are opened here, and spend what they are given. */
export interface Governor {
  /** Opens a run. Throws `LimitExceededError` if a budget that it is within does not allow it. */
  open(spec: OpenSpec): Promise<Scope>
  /**
   * A lasting scope such as `team:core`, made when it is first asked for, with `limits`. One that is there keeps its
   * limits, and gains those of meters that it has none for: `budget.setLimits` changes them.
   */
  budget(key: string, options?: BudgetOptions): Promise<Scope>
  /** A scope of the store, whoever runs it; `null` if there is none with this id. */
  find(id: string): Promise<Scope | null>
  /** The scope whose call is running here, wherever in the program that is; `null` outside of all. */
  current(): Scope | null
  /** The requests for more that wait for an answer. */
  requests(): Promise<readonly IncreaseRequest[]>
  /** Gives what was asked for, or a part of it; never more than the scopes above have left. */
  approve(requestId: string, options?: ApproveOptions): Promise<IncreaseRequest>
  /** Says no: then the limit ends the scope. */
  deny(requestId: string, options?: ByOptions): Promise<IncreaseRequest>
  readonly on: Subscribe
  /**
   * Ends what is open and waits until listeners were told; what is paused in a shared store stays there to be resumed.
   * Throws where the store could not be told of something: close it again to try again.
   */
  close(): Promise<void>
}

/** What a lasting scope is asked for with. */
export interface BudgetOptions {
  readonly limits?: LimitsInput
}

/** Who does something, for the records. */
export interface ByOptions {
  readonly by?: string
}

export interface ApproveOptions extends ByOptions {
  /** Default: all that was asked for. */
  readonly amount?: number
}

export interface UsageOptions {
  readonly path?: boolean
}

/** What is asked of a person. */
export interface IncreaseAsk {
  readonly meter: Meter
  readonly amount: number
  readonly reason: string
}

export interface PauseOptions extends ByOptions {
  readonly conversation?: unknown
  readonly loopEnds?: boolean
  readonly reason?: string
}

/** What a scope is opened with. */
export interface OpenSpec {
  readonly name: string
  /** Default: made up. The same id under the same parent is the same scope. */
  readonly id?: string
  readonly limits?: LimitsInput
  readonly onLimit?: ActionWord
  /** Limits in the published form, with the published defaults for what it leaves out; `limits` override them. */
  readonly executionLimits?: Readonly<Record<string, unknown>>
  /** The same under its published name. Where both are given they must be equal. */
  readonly execution_limits?: Readonly<Record<string, unknown>>
  /** The limits of a role, which `limits` override. */
  readonly preset?: string
  /** What lies below and around the limits of the call: those of files and of the environment, ceilings and floors. */
  readonly layers?: readonly LayerInput[]
  /** The scope that pays: a budget, or a run. Default: the scope whose call is running here; `null`: none. */
  readonly within?: Scope | null
  /** The caller's team and user: their budgets, `team:NAME` and `user:NAME`, pay too, and must be there. */
  readonly team?: string
  readonly user?: string
  /** Cost limits for those budgets that were read elsewhere, beside those of `executionLimits`. */
  readonly sharedLimits?: SharedLimits
  /** Whether it ends with a closing call that may not use tools, paid from a hold that nothing else can spend. */
  readonly wrapUp?: boolean
  /** What must be unspent on the path for the scope to be worth opening. */
  readonly needs?: Amounts
  readonly agentType?: string
  readonly taskId?: string
  /** How long to queue for a place. Default: that of the governor. */
  readonly waitMs?: number
  /** When this is aborted, the scope stops queueing for a place, and is refused if there is none. */
  readonly signal?: AbortSignal
}

/** What a child is opened with: who pays is its parent. */
export type ChildSpec = Omit<OpenSpec, 'within' | 'team' | 'user' | 'sharedLimits'>

/** One scope of the tree. */
export interface Scope {
  readonly id: string
  readonly name: string
  /** The names from the root down. */
  readonly path: string
  /**
   * Aborted, with the reason, when the scope must not go on. An aborted signal stays so: where a raise lets a scope go
   * on whose time was up, this is another one from then on.
   */
  readonly signal: AbortSignal
  reserve(amounts: Amounts, options?: ReserveOptions): Promise<Reservation | Refusal>
  /** Runs a tool if there is a tool call left. It counts once it is let in, whatever becomes of it. */
  callTool<Value>(tool: ToolSpec, run: (grant: ToolGrant) => Promise<Value> | Value): Promise<CallOutcome<Value>>
  /**
   * Makes a model call within what the path can pay: the worst case is reserved before it, and settled is the `usage`
   * that `run` returns beside its `value`. A call that the provider refused costs nothing and is no model call; one that
   * was not sent is given back.
   */
  callModel<Value>(
    call: ModelCallSpec,
    run: (grant: ModelGrant) => Promise<ModelAnswer<Value>>,
  ): Promise<CallOutcome<Value>>
  /** The closing call, once: let in where a limit has halted everything else, and paid from the hold. */
  callWrapUp<Value>(
    call: ModelCallSpec,
    run: (grant: ModelGrant) => Promise<ModelAnswer<Value>>,
  ): Promise<CallOutcome<Value>>
  /** Opens a child: depth, spawns, a place among the parent's children, and enough budget. */
  open(spec: ChildSpec): Promise<Scope>
  /** Opens a group of children: all of them, or none. */
  openAll(specs: readonly ChildSpec[]): Promise<readonly Scope[]>
  /** The line for the system prompt: what the agent has, in numbers that do not change. Empty without limits. */
  promptLine(): string
  /** The suffix for the last tool result of a batch, when a limit on the path gets tight; `null` while none is. */
  hint(): Promise<string | null>
  /** How every meter stands on this scope; with `path`, on the tightest scope from here to the root. */
  usage(options?: UsageOptions): Promise<Readonly<Record<Meter, MeterUsage>>>
  status(): Status
  /** The limits that its calls are held to: its own and those above it, the root's first. */
  limits(): readonly Limit[]
  /** Every limit that holds, with the layer and the place where it was written. */
  explain(): readonly ExplanationRow[]
  /** Writes limits anew while the scope runs, up or down. What waits for them looks again at once. */
  setLimits(limits: LimitsInput, options?: ByOptions): Promise<void>
  /** Asks a person for more of a limit, without pausing. */
  requestIncrease(ask: IncreaseAsk): Promise<IncreaseRequest>
  /**
   * Admits nothing more until it is resumed; what is in flight finishes, and the clocks stand. `loopEnds`: nobody waits
   * here for it to go on, so that a raise alone does not let it.
   */
  pause(options?: PauseOptions): Promise<void>
  /**
   * Goes on, exactly once for each pause; returns the conversation that was saved. Throws if it is not paused. A scope
   * that another process has paused, or left behind when it died, goes on here.
   */
  resume(options?: ByOptions): Promise<unknown>
  /** Ends it and everything below it now. What a limit had ended before stays `limit-reached` or `timed-out`. */
  stop(reason?: string): Promise<void>
  /**
   * Ends it when its work is done. Default: completed, or what a limit made of it. The first cause is the status: what a
   * limit had ended is `completed` only if a tool with `endsWork` has done its work all the same. `reason`: why it
   * failed, for the records.
   */
  close(status?: EndStatus, reason?: string): Promise<void>
}
