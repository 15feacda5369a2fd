import type { EventName } from './event-names.ts'

/** The events that can be sent to a webhook: those in the ledger that are not about single calls. */
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

/** The default events of a webhook. */
export const DEFAULT_WEBHOOK_EVENTS = [
  'alert_raised',
  'limit_exceeded',
  'agent_paused',
  'increase_requested',
] as const satisfies readonly WebhookEvent[]
