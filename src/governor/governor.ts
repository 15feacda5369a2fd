import type {
  Amounts,
  Clock,
  EventName,
  LedgerStore,
  Limit,
  Meter,
  MeterUsage,
  Status,
  StintEvent,
} from '../core/index.ts'
import type { ExplanationRow, LayerInput, LimitsInput, LimitsObject, ParsedLimits } from '../policy/index.ts'
import type { PriceBook } from '../pricing/index.ts'
import type {
  CallOutcome,
  ModelAnswer,
  ModelCallSpec,
  ModelGrant,
  Refusal,
  Reservation,
  ToolGrant,
  ToolSpec,
} from './call.ts'
import type { IncreaseRequest } from './steering/increase.ts'

/** Options of a governor. The defaults need no server and no network. */
export interface GovernorOptions {
  /** Default: in memory. */
  readonly store?: LedgerStore
  /** What models cost. Default: the price book included with Stint. */
  readonly prices?: PriceBook
  readonly clock?: Clock
  readonly createId?: () => string
  /** Called with every event; the same as `governor.on(listener)`. */
  readonly onEvent?: (event: StintEvent) => unknown
  /** How long a reservation waits for room that calls in flight may free. Default: 10 minutes. */
  readonly waitMs?: number
  /** How long a call that must stop may take before it is abandoned. Default: 5 seconds. */
  readonly graceMs?: number
  /** How many children may queue for a slot below one parent. Default: 100. */
  readonly queueLength?: number
  /** After this many provider refusals in a row, a run ends as `failed`. Default: 20. */
  readonly mostRefusals?: number
  /**
   * The name under which this process holds its reservations, unique among all processes. If it is declared dead, a
   * function is called again for a new one, and a string gets a number appended. Default: derived from this process.
   */
  readonly holder?: string | (() => string)
  /**
   * Whether a holder is still alive; `null` if that cannot be determined, in which case its heartbeats in the store
   * decide. What a dead holder left open is charged in full.
   */
  readonly isHolderAlive?: (holder: string) => boolean | null
  /**
   * What the history keeps of the scopes opened here. A run in a shared store is described by the command line of this
   * process, its user, folder and host, unless `open({ about })` says otherwise; keys are removed. With
   * `commands: false`, neither commands nor tasks are kept.
   */
  readonly history?: { readonly commands?: boolean }
}

/** The entry point: opens scopes, which spend what they are given. */
export interface Governor {
  /** Opens a run. Throws `LimitExceededError` if a budget it is within does not allow it. */
  open(spec: OpenSpec): Promise<Scope>
  /**
   * A lasting scope such as `team:core`, created with `limits` on first use. An existing one keeps its limits and only
   * gains limits for meters that have none; change them with `budget.setLimits`.
   */
  budget(key: string, options?: { readonly limits?: LimitsInput }): Promise<Scope>
  /** A scope in the store, whichever process runs it; `null` if there is none with this id. */
  find(id: string): Promise<Scope | null>
  /** The scope whose call is running here, anywhere in the program; `null` outside of any. */
  current(): Scope | null
  /** The open requests for an increase. */
  requests(): Promise<readonly IncreaseRequest[]>
  /** Grants what was requested, or `amount` of it, but never more than the scopes above have left. */
  approve(requestId: string, options?: { readonly amount?: number; readonly by?: string }): Promise<IncreaseRequest>
  /** Denies the request: the limit then ends the scope. */
  deny(requestId: string, options?: { readonly by?: string }): Promise<IncreaseRequest>
  /**
   * Subscribes a listener to all events, to those of one name, or to those of `names`; upper case works too. A listener
   * receives one event at a time and in order: the next one comes when its promise settles. Returns a function that
   * unsubscribes.
   */
  on(
    listener: (event: StintEvent) => unknown,
    options?: { readonly names?: readonly (EventName | Uppercase<EventName>)[] },
  ): () => void
  on(name: '*', listener: (event: StintEvent) => unknown): () => void
  on<Name extends EventName | Uppercase<EventName>>(
    name: Name,
    listener: (event: Extract<StintEvent, { readonly event: Lowercase<Name> }>) => unknown,
  ): () => void
  /**
   * Ends what is open and waits until listeners have received their events; what is paused in a shared store stays
   * there to be resumed. Throws if something could not be written to the store: call it again to retry.
   */
  close(): Promise<void>
}

/** The options of a new scope. */
export interface OpenSpec {
  readonly name: string
  /** `group`: a plan that starts agents; it is neither a spawn nor a level of depth. Default: `agent`. */
  readonly kind?: 'agent' | 'group'
  /** Default: generated. The same id under the same parent is the same scope. */
  readonly id?: string
  readonly limits?: LimitsInput
  readonly onLimit?: LimitsObject['onLimit']
  /** Limits in the published format, with its defaults for what is missing; `limits` override them. */
  readonly executionLimits?: Readonly<Record<string, unknown>>
  /** The same under its published name. If both are given they must be equal. */
  readonly execution_limits?: Readonly<Record<string, unknown>>
  /** The limits of a role, overridden by `limits`. */
  readonly preset?: string
  /** Limits from other sources, such as files and the environment, including ceilings and floors. */
  readonly layers?: readonly LayerInput[]
  /** The scope that pays: a budget or a run. Default: the scope whose call is running here; `null`: none. */
  readonly within?: Scope | null
  /** The caller's team and user: their budgets, `team:NAME` and `user:NAME`, pay too, and must exist. */
  readonly team?: string
  readonly user?: string
  /** Cost limits for those budgets that come from elsewhere, in addition to those in `executionLimits`. */
  readonly sharedLimits?: { readonly team: readonly ParsedLimits[]; readonly user: readonly ParsedLimits[] }
  /** Whether it ends with a closing call that cannot use tools, paid from a hold that nothing else can spend. */
  readonly wrapUp?: boolean
  /** What must be unspent on the path for the scope to be worth opening. */
  readonly needs?: Amounts
  readonly agentType?: string
  readonly taskId?: string
  /** What it is for and who started it, for its history. Keys are removed from it. */
  readonly about?: {
    readonly command?: string
    readonly task?: string
    readonly by?: string
    readonly folder?: string
    readonly host?: string
  }
  /** How long to queue for a slot. Default: the governor's `waitMs`. */
  readonly waitMs?: number
  /**
   * Whether to wait for the answer where a limit asks a person first. `false`: the scope with that limit stays paused
   * until it is resumed, and this throws `ScopePausedError`. Default: true.
   */
  readonly waitsForAnswer?: boolean
  /** When aborted, the scope stops queueing for a slot, and is refused if there is none. */
  readonly signal?: AbortSignal
}

/** The options of a child, which its parent pays for. */
export type ChildSpec = Omit<OpenSpec, 'within' | 'team' | 'user' | 'sharedLimits'>

/** One scope of the tree. */
export interface Scope {
  readonly id: string
  readonly name: string
  /** The names from the root down. */
  readonly path: string
  /**
   * Aborted, with the reason, when the scope must stop. An aborted signal stays aborted: if a raised limit lets the
   * scope continue, this property returns a new signal.
   */
  readonly signal: AbortSignal
  /**
   * Reserves an amount. `waitMs`: how long to wait for room; 0 answers immediately. `messages`: the length of the
   * conversation, for `messages` limits.
   */
  reserve(
    amounts: Amounts,
    options?: { readonly waitMs?: number; readonly messages?: number },
  ): Promise<Reservation | Refusal>
  /** Runs a tool if a tool call is left. It counts once admitted, however it ends. */
  callTool<Value>(tool: ToolSpec, run: (grant: ToolGrant) => Promise<Value> | Value): Promise<CallOutcome<Value>>
  /**
   * Makes a model call if the path can pay for it: reserves the worst case, then settles the `usage` that `run` returns
   * next to its `value`. A call that the provider refused costs nothing and is not counted; one that was not sent is
   * released.
   */
  callModel<Value>(
    call: ModelCallSpec,
    run: (grant: ModelGrant) => Promise<ModelAnswer<Value>>,
  ): Promise<CallOutcome<Value>>
  /**
   * Makes the closing call, once. It is admitted even if a limit has halted everything else, and paid from the hold.
   */
  callWrapUp<Value>(
    call: ModelCallSpec,
    run: (grant: ModelGrant) => Promise<ModelAnswer<Value>>,
  ): Promise<CallOutcome<Value>>
  /** Opens a child, subject to depth, spawns, a slot below the parent, and enough budget. */
  open(spec: ChildSpec): Promise<Scope>
  /** Opens a group of children: all of them, or none. */
  openAll(specs: readonly ChildSpec[]): Promise<readonly Scope[]>
  /** The line for the system prompt: the agent's limits, in numbers that do not change. Empty without limits. */
  promptLine(): string
  /** The suffix for the last tool result of a batch when a limit on the path gets tight; `null` otherwise. */
  hint(): Promise<string | null>
  /** The usage of every meter on this scope; with `path`, on the tightest scope from here to the root. */
  usage(options?: { readonly path?: boolean }): Promise<Readonly<Record<Meter, MeterUsage>>>
  status(): Status
  /** The limits that apply to its calls: its own and those above it, root first. */
  limits(): readonly Limit[]
  /** Every limit that applies, with its layer and the place where it was written. */
  explain(): readonly ExplanationRow[]
  /** Changes limits while the scope runs, up or down. Waiting calls are checked again immediately. */
  setLimits(limits: LimitsInput, options?: { readonly by?: string }): Promise<void>
  /** Asks a person to raise a limit, without pausing. */
  requestIncrease(ask: {
    readonly meter: Meter
    readonly amount: number
    readonly reason: string
  }): Promise<IncreaseRequest>
  /**
   * Admits nothing more until it is resumed; what is in flight finishes, and the clocks stop. `loopEnds`: no loop waits
   * here for it to continue, so a raise alone does not resume it.
   */
  pause(options?: {
    readonly conversation?: unknown
    readonly loopEnds?: boolean
    readonly reason?: string
    readonly by?: string
  }): Promise<void>
  /**
   * Resumes the scope, exactly once per pause, and returns the saved conversation. Throws if it is not paused. A scope
   * that another process paused, or left behind when it died, continues here.
   */
  resume(options?: { readonly by?: string }): Promise<unknown>
  /** Ends it and everything below it now. If a limit had ended it before, it stays `limit-reached` or `timed-out`. */
  stop(reason?: string): Promise<void>
  /**
   * Ends it when its work is done. Default: `completed`, or the status a limit gave it. The first cause decides the
   * status: a scope ended by a limit is `completed` only if a tool with `endsWork` has succeeded all the same.
   * `reason`: why it failed, for the records.
   */
  close(status?: Exclude<Status, 'queued' | 'running' | 'paused'>, reason?: string): Promise<void>
}
