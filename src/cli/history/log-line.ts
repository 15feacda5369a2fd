import { printable } from '../../core/checks/printable.ts'
import { displayAmount, type HistoryEntry, type ReservationReading, type StintEvent } from '../../core/index.ts'
import { amountsText } from '../output/amount-text.ts'
import { cutText } from '../output/fit-text.ts'
import type { Paint } from '../output/paint.ts'
import { attemptText } from './attempt-text.ts'

/** An event on one line: when, where, and what. */
export function logLine(
  { event, call }: HistoryEntry,
  { paint, width }: { readonly paint: Paint; readonly width: number },
): string {
  const at = new Date(event.ts)
  const when = Number.isNaN(at.valueOf()) ? event.ts : at.toISOString().slice(0, 19).replace('T', ' ')
  return cutText(`${paint.dim(when)}  ${printable(event.scope_path)}  ${printable(eventText(event, call))}`, width)
}

/** What happened, in words. */
function eventText(event: StintEvent, call: ReservationReading | null): string {
  switch (event.event) {
    case 'scope_opened':
      return `opened${event.limits.length === 0 ? '' : ` with ${event.limits.map(limitOf).join(', ')}`}`
    case 'scope_closed':
      return `ended: ${event.status}${byText(event.by ?? null)}${event.error === undefined ? '' : ` (${event.error})`}`
    case 'call_settled':
    case 'reservation_assumed':
      return callText(event, call)
    case 'limit_nearing':
      return `${amountOf(event.limit_kind, event.used)} of ${amountOf(event.limit_kind, event.limit)} ${event.limit_name} used`
    case 'limit_exceeded':
    case 'agent_warning':
      return `${event.limit_name} exceeded: ${amountOf(event.limit_kind, event.used)} of ${amountOf(event.limit_kind, event.limit)} used`
    case 'limit_raised':
      return `limit ${event.limit_kind}${event.per === null ? '' : `/${event.per}`}: ${amountOrNone(event.limit_kind, event.limit_before)} → ${amountOrNone(event.limit_kind, event.limit)}${byText(event.by)}`
    case 'agent_paused':
      return `paused: ${event.reason}`
    case 'agent_resumed':
      return `resumed${byText(event.by)} after ${displayAmount('time', event.paused_ms)}`
    case 'increase_requested':
      return `requests ${amountOf(event.limit_kind, event.asked)} more of its ${event.limit_name} limit: ${event.reason}`
    case 'increase_granted':
      return `granted ${amountOf(event.limit_kind, event.granted)} more of its ${event.limit_name} limit${byText(event.by)}`
    case 'increase_denied':
      return `denied more ${event.limit_name}${byText(event.by)}`
    case 'increase_expired':
      return `the request for more ${event.limit_name} expired`
    case 'alert_raised':
      return `alert ${event.rule}: ${event.message}`
    case 'usage_anomaly':
      return `invalid usage of ${event.call_name ?? 'a call'}: ${event.meter} ${event.value}`
    default:
      return event.event
  }
}

function callText(
  event: Extract<StintEvent, { event: 'call_settled' | 'reservation_assumed' }>,
  call: ReservationReading | null,
): string {
  const isAssumed = event.event === 'reservation_assumed'
  const took = event.event === 'call_settled' ? ` in ${displayAmount('time', event.duration_ms)}` : ''
  const what = event.call === 'other' ? 'call' : `${event.call} ${event.call_name ?? ''}`.trim()
  const kind = `${what}${attemptText(call?.about ?? null)}`
  const isRefused = event.event === 'call_settled' && event.refused
  const ending = call?.result?.ending ?? 'answered'
  const how = isAssumed ? ' (assumed)' : ending === 'answered' || isRefused ? '' : ` (${ending})`
  return isRefused ? `${kind}: refused by the provider` : `${kind}: ${amountsText(event.charged)}${took}${how}`
}

type Kind = Extract<StintEvent, { event: 'limit_nearing' }>['limit_kind']

function limitOf({ limit_kind: meter, limit, per }: { limit_kind: Kind; limit: number; per: string | null }): string {
  return `${meter} ${amountOf(meter, limit)}${per === null ? '' : `/${per}`}`
}

function amountOf(meter: Kind, amount: number): string {
  return displayAmount(meter, amount)
}

function amountOrNone(meter: Kind, amount: number | null): string {
  return amount === null ? 'none' : amountOf(meter, amount)
}

function byText(by: string | null): string {
  return by === null ? '' : ` by ${by}`
}
