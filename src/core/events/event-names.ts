/** Every event. Emitted after the store has accepted the change. */
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

/** The event with this name, which may be in capitals; `null` if there is none. */
export function parseEventName(written: unknown): EventName | null {
  if (typeof written !== 'string') return null
  const name = written === written.toUpperCase() ? written.toLowerCase() : written
  return EVENT_NAMES.find((known) => known === name) ?? null
}
