import type { Amounts } from '../amounts/amounts.ts'
import type { Action } from '../limits/action.ts'
import type { Period } from '../limits/window.ts'
import type { Meter } from '../meter.ts'
import type { ScopeKind } from '../scope.ts'
import type { EndStatus } from '../status.ts'
import type { EventName } from './event-names.ts'

/** The fields of every event. */
export interface EventHeader {
  readonly event: EventName
  /** ISO 8601. */
  readonly ts: string
  /**
   * Numbers the events of a scope from 1, within one process. A gap means that events for this listener were dropped.
   */
  readonly seq: number
  readonly run_id: string
  readonly task_id: string | null
  readonly agent_name: string
  readonly agent_type: string | null
  readonly scope: string
  readonly scope_path: string
}

/** The progress of the agent. */
export interface ProgressFields {
  readonly elapsed_ms: number
  /** For display only: money is nano-USD everywhere else. */
  readonly accumulated_cost_usd: number
  /** Settled tool calls. */
  readonly turns: number
}

/** The state of a limit. */
export interface LimitFields extends ProgressFields {
  readonly limit_kind: Meter
  /** The name as written: `turns` where `limit_kind` is `toolCalls`. */
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
  /** On refusals. Names the limit as it was written. */
  readonly error?: string
}

/** The fields when an agent fails or halts, with the limit that caused it, if any. */
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
  /** The name as written. */
  readonly limit_name: string
  readonly limit: number
  readonly used: number
  readonly asked: number
}

/** A limit that a scope was opened with. */
export interface OpenedLimit {
  readonly limit_kind: Meter
  readonly limit: number
  readonly per: Period | null
  readonly action: Action
  readonly source: string
}

/**
 * The fields of each event in addition to the header. Amounts are integers, money in nano-USD. Never contains request
 * contents.
 */
export interface EventFields {
  readonly scope_opened: {
    readonly kind: ScopeKind
    readonly parent_scope: string | null
    readonly limits: readonly OpenedLimit[]
  }
  /** `error`: why it ended, in the ledger's history, unless it completed. */
  readonly scope_closed: ProgressFields & { readonly status: EndStatus; readonly error?: string; readonly by?: string }
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
  /** The usage of a call is unknown: its holder died (`other`, without a name), or it was cut off. */
  readonly reservation_assumed: CallFields & { readonly charged: Amounts }
  readonly call_settled: CallFields & {
    readonly charged: Amounts
    /** The charge beyond the reservation. */
    readonly overrun: Amounts
    /** The provider refused it: nothing was charged, and it doesn't count as a model call. */
    readonly refused: boolean
    readonly duration_ms: number
  }
  /** The clamp actually cut an answer short. */
  readonly call_clamped: CallFields & {
    readonly asked_output_tokens: number
    readonly granted_output_tokens: number
  }
  readonly usage_anomaly: CallFields & {
    readonly meter: string
    /** The reported value, as text. */
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
    /** The name of the rule. */
    readonly rule: string
    readonly message: string
    /** `null` if the rule is about how agents end. */
    readonly limit_kind: Meter | null
    /** In the unit of `limit_kind`; agents if that is `null`. */
    readonly value: number
    /** The amount that was passed. */
    readonly threshold: number
    /** The period that `value` was counted over; `null` for a share of a limit. */
    readonly window_ms: number | null
  }
}
