import { isOneOf } from '../../core/checks/is-one-of.ts'
import {
  displayAmount,
  type EventName,
  type LimitFields,
  METERS,
  type Meter,
  type StintEvent,
} from '../../core/index.ts'

/** Something that the user should know while the run continues. */
export interface RunNotice {
  readonly atMs: number
  readonly event: NoticedEvent
  /** The limit that it is about, and how much was used; `null` if it is not about a limit. */
  readonly meter: Meter | null
  readonly limit: number | null
  readonly used: number | null
  readonly message: string
}

/** The events that the user is notified of. */
export const NOTICED_EVENTS = [
  'limit_nearing',
  'agent_warning',
  'agent_paused',
  'agent_resumed',
  'increase_requested',
  'increase_granted',
  'increase_denied',
  'increase_expired',
] as const satisfies readonly EventName[]

type NoticedEvent = (typeof NOTICED_EVENTS)[number]

type Noticed = Extract<StintEvent, { readonly event: NoticedEvent }>

function isNoticed(event: StintEvent): event is Noticed {
  return isOneOf(event.event, NOTICED_EVENTS)
}

/** The notice for an event; `null` if it doesn't concern the user. */
export function noticeFrom(event: StintEvent): RunNotice | null {
  if (!isNoticed(event)) return null
  // One step may pass the threshold and reach the limit, which has its own event.
  if (event.event === 'limit_nearing' && event.used >= event.limit) return null
  const about = 'limit' in event ? { meter: event.limit_kind, limit: event.limit, used: event.used } : NO_LIMIT
  return { atMs: Date.parse(event.ts), event: event.event, ...about, message: messageOf(event) }
}

const NO_LIMIT = { meter: null, limit: null, used: null }

function messageOf(event: Noticed): string {
  const run = `"${event.scope_path}"`
  switch (event.event) {
    case 'limit_nearing':
      return `${run} is near a limit: ${standing(event)} (set by ${event.source}).`
    case 'agent_warning':
      return `${run} has passed a limit that only warns, and continues: ${standing(event)} (set by ${event.source}).`
    case 'agent_paused':
      return `${run} is paused: ${event.reason}${/[.…]$/.test(event.reason) ? '' : '.'} To continue: ${resumption(event)}`
    case 'agent_resumed':
      return `${run} continues${by(event)}.`
    case 'increase_requested':
      return (
        `${run} asks for more: ${standing(event)}, ${amountOf(event.limit_kind, event.asked)} more requested. ` +
        `To answer: stint approve ${event.request} (or: stint deny ${event.request})`
      )
    case 'increase_granted':
      return `${run} was given ${amountOf(event.limit_kind, event.granted)} more of its ${event.limit_name} limit${by(event)}.`
    case 'increase_denied':
      return `${run} was denied more of its ${event.limit_name} limit${by(event)}.`
    case 'increase_expired':
      return `${run} asked for more of its ${event.limit_name} limit and got no answer in time.`
  }
}

/** The run's own limit must be raised to resume it; for a budget above it, the reason says what to do. */
function resumption(event: Extract<Noticed, { readonly event: 'agent_paused' }>): string {
  const isOwn =
    event.limit_kind !== undefined && event.scope === event.run_id && Object.hasOwn(METERS, event.limit_kind)
  return `stint resume ${event.run_id}${isOwn ? ` --add ${event.limit_name}=…` : ''}`
}

function by({ by: who }: { readonly by: string | null }): string {
  return who === null ? '' : ` (${who})`
}

type Standing = Pick<LimitFields, 'limit_kind' | 'limit_name' | 'used' | 'limit'>

function standing({ limit_kind: meter, limit_name: name, used, limit }: Standing): string {
  return `${name} ${amountOf(meter, used)} of ${amountOf(meter, limit)} used`
}

/** The limit may be a guard, which is not a meter. */
function amountOf(meter: Meter, amount: number): string {
  return Object.hasOwn(METERS, meter) ? displayAmount(meter, amount) : String(amount)
}
