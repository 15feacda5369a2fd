import type { EventName } from './event-names.ts'

/** Events that the ledger keeps and that are not about single calls: what can be sent to a webhook. */
export const WEBHOOK_EVENTS = [
  'scope_opened',
  'scope_closed',
  'limit_nearing',
  'limit_exceeded',
  'limit_raised',
  'reservation_assumed',
  'usage_anomaly',
  'agent_warning',
  'agent_paused',
  'agent_resumed',
  'increase_requested',
  'increase_granted',
  'increase_denied',
  'increase_expired',
  'alert_raised',
] as const satisfies readonly EventName[]

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** What a person wants to hear of, if nothing else is said. */
export const DEFAULT_WEBHOOK_EVENTS = [
  'alert_raised',
  'limit_exceeded',
  'agent_paused',
  'increase_requested',
] as const satisfies readonly WebhookEvent[]
