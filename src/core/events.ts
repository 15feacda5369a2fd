import type { Action } from './action.ts'
import { NANO_USD_PER_USD } from './amounts.ts'
import type { Breach } from './breach.ts'
import type { LimitCrossing } from './ledger-store.ts'
import { describeSource } from './limit-source.ts'
import type { Meter } from './meter.ts'

/** Every event, told after the store accepted the fact. */
export const EVENT_NAMES = [
  'scope_opened',
  'scope_closed',
  'limit_nearing',
  'limit_exceeded',
  'limit_raised',
  'reservation_waiting',
  'reservation_denied',
  'reservation_assumed',
  'call_settled',
  'call_clamped',
  'usage_anomaly',
  'agent_started',
  'agent_completed',
  'agent_failed',
  'agent_warning',
  'agent_paused',
  'agent_resumed',
  'spawn_refused',
  'wrap_up_started',
  'increase_requested',
  'increase_granted',
  'increase_denied',
  'increase_expired',
  'alert_raised',
] as const

export type EventName = (typeof EVENT_NAMES)[number]

/** Who an event is about. */
export interface EventSubject {
  readonly runId: string
  readonly taskId: string | null
  readonly agentName: string
  readonly agentType: string | null
  readonly elapsedMs: number
  readonly accumulatedCostNanoUsd: number
  /** Tool calls settled so far. */
  readonly turns: number
}

/** What is known of every event. */
export interface EventHeader {
  readonly event: EventName
  /** ISO 8601. */
  readonly ts: string
  /** Ascending within a scope. */
  readonly seq: number
  readonly run_id: string
  readonly task_id: string | null
  readonly agent_name: string
  readonly agent_type: string | null
  readonly scope: string
  readonly scope_path: string
}

/** The record of a limit that is near, passed or refused: one line of JSON. */
export interface LimitEvent extends EventHeader {
  readonly limit_kind: Meter
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
  readonly elapsed_ms: number
  /** For reading only: money is nano-USD everywhere else. */
  readonly accumulated_cost_usd: number
  readonly turns: number
  /** On refusals. */
  readonly error?: string
}

interface Moment {
  readonly event: EventName
  readonly atMs: number
  readonly seq: number
}

/** The record of a threshold or a limit that a settlement passed. */
export function limitEventFromCrossing(moment: Moment, subject: EventSubject, passed: LimitCrossing): LimitEvent {
  const { limit, crossing, settled, reserved, held } = passed
  return {
    ...headerOf(moment, subject, passed.scopeId, passed.scopePath),
    limit_kind: limit.meter,
    limit: limit.max,
    threshold: crossing.kind === 'nearing' ? crossing.threshold : null,
    used: settled,
    reserved,
    requested: 0,
    remaining: Math.max(0, limit.max - settled - reserved - held),
    ratio: ratioOf(settled, limit.max),
    exceeded_by: Math.max(0, settled - limit.max),
    action: limit.action,
    source: describeSource(limit.source),
    ...tailOf(subject),
  }
}

/** The record of a refusal, with the error that names the limit as it was written. */
export function limitEventFromBreach(moment: Moment, subject: EventSubject, breach: Breach): LimitEvent {
  return {
    ...headerOf(moment, subject, breach.scope, breach.scopePath),
    limit_kind: breach.meter,
    limit: breach.limit,
    threshold: null,
    used: breach.settled,
    reserved: breach.reserved,
    requested: breach.asked,
    remaining: breach.remaining,
    ratio: ratioOf(breach.settled, breach.limit),
    exceeded_by: Math.max(0, breach.settled + breach.asked - breach.limit),
    action: breach.action,
    source: describeSource(breach.source),
    ...tailOf(subject),
    error: `Agent exceeded ${breach.source.written} limit`,
  }
}

function headerOf(moment: Moment, subject: EventSubject, scope: string, scopePath: string): EventHeader {
  return {
    event: moment.event,
    ts: new Date(moment.atMs).toISOString(),
    seq: moment.seq,
    run_id: subject.runId,
    task_id: subject.taskId,
    agent_name: subject.agentName,
    agent_type: subject.agentType,
    scope,
    scope_path: scopePath,
  }
}

function tailOf(subject: EventSubject): Pick<LimitEvent, 'elapsed_ms' | 'accumulated_cost_usd' | 'turns'> {
  return {
    elapsed_ms: subject.elapsedMs,
    accumulated_cost_usd: subject.accumulatedCostNanoUsd / NANO_USD_PER_USD,
    turns: subject.turns,
  }
}

function ratioOf(used: number, limit: number): number | null {
  return limit === 0 ? null : used / limit
}
