import {
  displayAmount,
  type EventName,
  type LimitFields,
  METERS,
  type Meter,
  type StintEvent,
} from '../../../core/index.ts'

/** Something that its user should know of a run while it goes on. */
export interface RunNotice {
  readonly atMs: number
  readonly event: NoticedEvent
  /** The limit that it is about, and how that stood; `null` where it is about none. */
  readonly meter: Meter | null
  readonly limit: number | null
  readonly used: number | null
  readonly message: string
}

/** The events that are worth a line. */
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
  return (NOTICED_EVENTS as readonly EventName[]).includes(event.event)
}

/** What an event means to the user of a run; `null`: nothing. */
export function noticeFrom(event: StintEvent): RunNotice | null {
  if (!isNoticed(event)) return null
  // One step may pass the threshold and reach the limit: what that does is told by itself.
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
      return `${run} has passed a limit that only warns, and goes on: ${standing(event)} (set by ${event.source}).`
    case 'agent_paused':
      return `${run} is paused: ${event.reason}${/[.…]$/.test(event.reason) ? '' : '.'} To let it go on: ${resumption(event)}`
    case 'agent_resumed':
      return `${run} goes on${by(event)}.`
    case 'increase_requested':
      return (
        `${run} asks for more: ${standing(event)}, ${amountOf(event.limit_kind, event.asked)} more requested. ` +
        `To answer: stint approve ${event.request} (or: stint deny ${event.request})`
      )
    case 'increase_granted':
      return `${run} was given ${amountOf(event.limit_kind, event.granted)} more of its ${event.limit_name} limit${by(event)}.`
    case 'increase_denied':
      return `${run} was not given more of its ${event.limit_name} limit${by(event)}.`
    case 'increase_expired':
      return `${run} asked for more of its ${event.limit_name} limit, and had no answer in time.`
  }
}

/** A limit of its own must be raised with it; what a budget above it needs is said in the reason. */
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

/** A guard that is not a meter may be behind it, too. */
function amountOf(meter: Meter, amount: number): string {
  return Object.hasOwn(METERS, meter) ? displayAmount(meter, amount) : String(amount)
}
