import type { Amounts, Breaches, Clock, CreateId, EndStatus, LedgerStore, Meter, Status } from '../core/index.ts'
import type { ActionWord, ExplanationRow, LimitsInput } from '../policy/index.ts'
import type { EventListener } from './event-delivery.ts'
import type { Subscribe } from './event-hub.ts'
import type { MeterUsage } from './scope-usage.ts'

/** What a governor is made of. Every part has a default that needs no server and no network. */
export interface GovernorOptions {
  /** Default: in memory. */
  readonly store?: LedgerStore
  readonly clock?: Clock
  readonly createId?: CreateId
  /** Told of every event; the same as `governor.on(listener)`. */
  readonly onEvent?: EventListener
  /** How long a reservation waits for room that calls in flight may give back. Default: 10 minutes. */
  readonly waitMs?: number
  /** How many children may queue for a place among their parent's. Default: 100. */
  readonly queueLength?: number
  /** Who keeps the reservations, told apart from every other process. Default: made up at the start. */
  readonly holder?: string
}

/** The front door: scopes are opened here, and spend what they are given. */
export interface Governor {
  /** Opens a run. Throws `LimitExceededError` if a budget that it is within does not allow it. */
  open(spec: OpenSpec): Promise<Scope>
  /** A lasting scope such as `team:core`, made when it is first asked for. Limits that are given replace the old ones. */
  budget(key: string, options?: { readonly limits?: LimitsInput }): Promise<Scope>
  /** A scope that this governor keeps open; `null` if there is none with this id. */
  find(id: string): Scope | null
  /** The scope whose call is running here, wherever in the program that is; `null` outside of all. */
  current(): Scope | null
  readonly on: Subscribe
  /** Stops what is open, and waits until listeners were told. */
  close(): Promise<void>
}

/** What a scope is opened with. */
export interface OpenSpec {
  readonly name: string
  /** Default: made up. The same id under the same parent is the same scope. */
  readonly id?: string
  readonly limits?: LimitsInput
  readonly onLimit?: ActionWord
  /** The limits of a role, which `limits` override. */
  readonly preset?: string
  /** The scope that pays: a budget, or a run. */
  readonly within?: Scope
  /** What must be unspent on the path for the scope to be worth opening. */
  readonly needs?: Amounts
  readonly agentType?: string
  readonly taskId?: string
  /** How long to queue for a place. Default: that of the governor. */
  readonly waitMs?: number
}

export interface ReserveOptions {
  /** How long to wait for room; 0 answers at once. */
  readonly waitMs?: number
  /** The length of the conversation, for `messages` limits. */
  readonly messages?: number
}

/** Room that was set aside, until it is settled or released. */
export interface Reservation {
  readonly granted: true
  readonly id: string
  readonly amounts: Amounts
  readonly breach: null
  /** Charges what was used; without it, or where a meter is missing, the whole reservation. Never refused. */
  settle(actual?: Readonly<Partial<Record<keyof Amounts, unknown>>> | null): Promise<void>
  /** Gives the room back: only when nothing was sent, or the provider refused before the first byte. */
  release(): Promise<void>
}

/** No room: which limits of whom, the outermost first. */
export interface Refusal {
  readonly granted: false
  readonly breach: Breaches[0]
  readonly breaches: Breaches
}

/** One scope of the tree, open and running in this process. */
export interface Scope {
  readonly id: string
  readonly name: string
  /** The names from the root down. */
  readonly path: string
  /** Aborted, with the reason, when the scope must not go on. */
  readonly signal: AbortSignal
  reserve(amounts: Amounts, options?: ReserveOptions): Promise<Reservation | Refusal>
  /** Opens a child: depth, spawns, a place among the parent's children, and enough budget. */
  open(spec: Omit<OpenSpec, 'within'>): Promise<Scope>
  /** How every meter stands on this scope; with `path`, on the tightest scope from here to the root. */
  usage(options?: { readonly path?: boolean }): Promise<Readonly<Record<Meter, MeterUsage>>>
  status(): Status
  /** Every limit that holds, with the layer and the place where it was written. */
  explain(): readonly ExplanationRow[]
  /** Writes limits anew while the scope runs, up or down. What waits for them looks again at once. */
  raise(limits: LimitsInput, options?: { readonly by?: string }): Promise<void>
  /** Ends it and everything below it now. */
  stop(reason?: string): Promise<void>
  /** Ends it when its work is done. Default: completed, or what a limit made of it. */
  close(status?: EndStatus): Promise<void>
}
