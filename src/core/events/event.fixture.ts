import type { EventFields, LimitFields } from './event-fields.ts'
import type { EventName } from './event-names.ts'
import type { EventDraft } from './events.ts'

const progress = { elapsed_ms: 450_000, accumulated_cost_usd: 0.85, turns: 5 }
const limit = {
  ...progress,
  limit_kind: 'toolCalls',
  limit_name: 'max_turns',
  limit: 10,
  threshold: 0.8,
  used: 8,
  reserved: 0,
  requested: 1,
  remaining: 2,
  ratio: 0.8,
  exceeded_by: 0,
  action: 'terminate',
  source: 'the flag --limit max_turns=10',
  error: 'Agent exceeded max_turns limit',
} as const satisfies Required<LimitFields>
const call = { reservation: 'call-1', call: 'model', call_name: 'claude-sonnet-4-5' } as const
const increase = {
  request: 'request-1',
  limit_kind: 'cost',
  limit_name: 'max_cost',
  limit: 10,
  used: 9,
  asked: 5,
} as const

/** Every event with every field it can have. */
export const FULL_EVENT_FIELDS: EventFields = {
  scope_opened: {
    kind: 'agent',
    parent_scope: null,
    limits: [{ limit_kind: 'toolCalls', limit: 10, per: null, action: 'terminate', source: 'the call' }],
  },
  scope_closed: { ...progress, status: 'failed', error: 'The model did not answer', by: 'ann' },
  limit_nearing: limit,
  limit_exceeded: limit,
  limit_raised: {
    limit_kind: 'cost',
    per: 'day',
    limit_before: 10,
    limit: 20,
    used: 9,
    by: 'ann',
    source: 'the call',
  },
  reservation_waiting: { ...limit, wait_ms: 600_000 },
  reservation_denied: { ...limit, waited_ms: 600_000 },
  reservation_assumed: { ...call, charged: { modelCalls: 1 } },
  call_settled: { ...call, charged: { modelCalls: 1, tokens: 120 }, overrun: {}, refused: false, duration_ms: 900 },
  call_clamped: { ...call, asked_output_tokens: 32_000, granted_output_tokens: 2048 },
  usage_anomaly: { ...call, meter: 'tokens', value: '-1', charged: 500 },
  agent_started: { parent_scope: null, depth: 0 },
  agent_completed: { ...progress, overrun: {} },
  agent_failed: { ...limit, status: 'limit-reached' },
  agent_warning: limit,
  agent_paused: { ...limit, reason: 'limit', resume_url: null },
  agent_resumed: { ...progress, by: null, paused_ms: 60_000 },
  spawn_refused: { ...limit, child_name: 'helper', children: 2 },
  wrap_up_started: { ...progress, limit_kind: 'cost', reservation: 'call-2', max_output_tokens: 1000 },
  increase_requested: { ...increase, reason: 'two files left', expires_at: '2026-01-01T01:00:00.000Z' },
  increase_granted: { ...increase, granted: 3, by: 'ann' },
  increase_denied: { ...increase, reason: 'enough', by: 'ann' },
  increase_expired: increase,
  alert_raised: {
    rule: 'cost-per-hour',
    message: 'More than $10.00 in an hour: $11.00',
    limit_kind: 'cost',
    value: 11_000_000_000,
    threshold: 10_000_000_000,
    window_ms: 3_600_000,
  },
}

/** An event before it is numbered. */
export function eventDraftFixture(event: EventName, scope = 'run-1', more: Record<string, unknown> = {}): EventDraft {
  return {
    event,
    ts: '2026-01-01T00:00:00.000Z',
    run_id: 'run-1',
    task_id: null,
    agent_name: 'triage',
    agent_type: null,
    scope,
    scope_path: 'triage',
    ...FULL_EVENT_FIELDS[event],
    ...more,
  } as EventDraft
}
