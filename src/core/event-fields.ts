import type { Action } from './action.ts'
import type { Amounts } from './amounts.ts'
import type { EventName } from './event-names.ts'
import type { Meter } from './meter.ts'
import type { ScopeKind } from './scope.ts'
import type { EndStatus } from './status.ts'
import type { Period } from './window.ts'

/** What is known of every event. */
export interface EventHeader {
  readonly event: EventName
  /** ISO 8601. */
  readonly ts: string
  /** Counts the events of a scope from 1, within one process. A gap: events were dropped on the way to this listener. */
  readonly seq: number
  readonly run_id: string
  readonly task_id: string | null
  readonly agent_name: string
  readonly agent_type: string | null
  readonly scope: string
  readonly scope_path: string
}

/** How far the agent had come. */
export interface ProgressFields {
  readonly elapsed_ms: number
  /** For reading only: money is nano-USD everywhere else. */
  readonly accumulated_cost_usd: number
  /** Tool calls settled so far. */
  readonly turns: number
}

/** How a limit stood. */
export interface LimitFields extends ProgressFields {
  readonly limit_kind: Meter
  /** As it was written: `turns` where `limit_kind` is `toolCalls`. */
  readonly limit_name: string
  readonly limit: number
  readonly threshold: number | null
  readonly used: number
  readonly reserved: number
  readonly requested: number
  readonly remaining: number
  /** `used / limit`; `null` for a limit of 0. */
  readonly ratio: number | null
  readonly exceeded_by: number
  readonly action: Action
  readonly source: string
  /** On refusals: names the limit as it was written. */
  readonly error?: string
}

/** The fields of an agent's bad or halting end: with the limit behind it, if there is one. */
export type WithOrWithoutLimit =
  | LimitFields
  | (ProgressFields & { readonly limit_kind?: never; readonly error?: string })

export interface CallFields {
  readonly reservation: string
  readonly call: 'model' | 'tool' | 'other'
  /** The model or the tool. */
  readonly call_name: string | null
}

export interface IncreaseFields {
  readonly request: string
  readonly limit_kind: Meter
  /** As it was written. */
  readonly limit_name: string
  readonly limit: number
  readonly used: number
  readonly asked: number
}

/** A limit as its scope was opened with it. */
export interface OpenedLimit {
  readonly limit_kind: Meter
  readonly limit: number
  readonly per: Period | null
  readonly action: Action
  readonly source: string
}

/** What each event says beside its header. Amounts are integers, money in nano-USD. No contents of requests, ever. */
export interface EventFields {
  readonly scope_opened: {
    readonly kind: ScopeKind
    readonly parent_scope: string | null
    readonly limits: readonly OpenedLimit[]
  }
  readonly scope_closed: ProgressFields & { readonly status: EndStatus }
  readonly limit_nearing: LimitFields
  readonly limit_exceeded: LimitFields
  /** Also for a limit that was lowered or removed (`null`). */
  readonly limit_raised: {
    readonly limit_kind: Meter
    readonly per: Period | null
    readonly limit_before: number | null
    readonly limit: number | null
    readonly used: number
    readonly by: string | null
    readonly source: string
  }
  readonly reservation_waiting: LimitFields & { readonly wait_ms: number }
  readonly reservation_denied: LimitFields & { readonly waited_ms: number }
  /** What a call used isn't known: its holder died (`other`, without a name), or it was cut. */
  readonly reservation_assumed: CallFields & { readonly charged: Amounts }
  readonly call_settled: CallFields & {
    readonly charged: Amounts
    /** By how much the charge was above the reservation. */
    readonly overrun: Amounts
    /** The provider refused it: nothing was charged, and it was no model call. */
    readonly refused: boolean
    readonly duration_ms: number
  }
  /** An answer was really cut by the clamp. */
  readonly call_clamped: CallFields & {
    readonly asked_output_tokens: number
    readonly granted_output_tokens: number
  }
  readonly usage_anomaly: CallFields & {
    readonly meter: string
    /** The value that was reported, as text. */
    readonly value: string
    readonly charged: number
  }
  readonly agent_started: { readonly parent_scope: string | null; readonly depth: number }
  readonly agent_completed: ProgressFields & { readonly overrun: Amounts }
  readonly agent_failed: WithOrWithoutLimit & { readonly status: EndStatus; readonly error: string }
  readonly agent_warning: LimitFields
  readonly agent_paused: WithOrWithoutLimit & { readonly reason: string; readonly resume_url: string | null }
  readonly agent_resumed: ProgressFields & { readonly by: string | null; readonly paused_ms: number }
  readonly spawn_refused: LimitFields & { readonly child_name: string; readonly children: number }
  readonly wrap_up_started: ProgressFields & {
    readonly limit_kind: Meter | null
    readonly reservation: string
    readonly max_output_tokens: number
  }
  readonly increase_requested: IncreaseFields & { readonly reason: string; readonly expires_at: string }
  readonly increase_granted: IncreaseFields & { readonly granted: number; readonly by: string | null }
  readonly increase_denied: IncreaseFields & { readonly reason: string; readonly by: string | null }
  readonly increase_expired: IncreaseFields
  readonly alert_raised: {
    readonly rule: string
    readonly message: string
    readonly value: number
    readonly threshold: number
    readonly window_ms: number | null
  }
}
