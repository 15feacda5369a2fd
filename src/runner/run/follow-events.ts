import { displayAmount, formatMaximum, type StintEvent } from '../../core/index.ts'
import type { Governor, Scope } from '../../governor/index.ts'
import type { RunDesk } from './run-desk.ts'

const FOLLOWED = [
  'limit_nearing',
  'limit_exceeded',
  'agent_warning',
  'agent_paused',
  'agent_resumed',
  'increase_requested',
  'increase_granted',
  'increase_denied',
  'increase_expired',
  'usage_anomaly',
] as const

/** Tells of what happens to the limits of a run, and keeps the record of its task in step. Returns how to end it. */
export function followEvents(governor: Governor, scope: Scope, desk: RunDesk): () => Promise<void> {
  const listener = (event: StintEvent): void => {
    if (event.task_id !== scope.id) return
    follow(event, desk)
  }
  const end = governor.on(listener, { names: FOLLOWED })
  return async () => {
    // What has happened already is told in the next turn.
    await new Promise((resolve) => setImmediate(resolve))
    end()
  }
}

function follow(event: StintEvent, desk: RunDesk): void {
  // One step may pass the threshold and reach the limit: what that does is told by itself.
  if (event.event === 'limit_nearing' && event.used < event.limit)
    desk.tell({ kind: 'nearing', message: standing(event) })
  if (event.event === 'limit_exceeded') desk.tell({ kind: 'exceeded', message: standing(event) })
  if (event.event === 'agent_warning') {
    desk.warn(`Execution limit exceeded: ${event.limit_name} (a warning; the run goes on)`)
    desk.updateTask({ warnings: [...desk.warnings] })
  }
  if (event.event === 'agent_paused') {
    desk.updateTask({ status: 'paused', runStatus: 'paused', reason: event.reason, resume_url: event.resume_url })
    desk.tell({ kind: 'paused', message: event.reason })
  }
  if (event.event === 'agent_resumed') {
    desk.updateTask({ status: 'in_progress', runStatus: 'running', reason: null, resume_url: null })
  }
  if (event.event === 'increase_requested') {
    const { request, limit_kind: meter, limit_name: name, asked } = event
    desk.tell({ kind: 'asking', request, message: `${displayAmount(meter, asked, 'up')} more of its ${name} limit` })
  }
  const answer = answerTo(event)
  if (answer !== null) desk.tell({ kind: 'answered', message: answer })
  // A number is the provider's; a sentence is ours, about a limit that cannot be kept.
  if (event.event === 'usage_anomaly' && event.value.includes(' ')) desk.warn(event.value)
}

/** What became of a request for more; `null` for every other event. */
function answerTo(event: StintEvent): string | null {
  if (event.event === 'increase_granted') {
    const { limit_kind: meter, limit_name: name, granted, by } = event
    return `It was given ${displayAmount(meter, granted)} more of its ${name} limit${by === null ? '' : ` (${by})`}.`
  }
  if (event.event === 'increase_denied') {
    return `It was not given more of its ${event.limit_name} limit${event.by === null ? '' : ` (${event.by})`}.`
  }
  if (event.event !== 'increase_expired') return null
  return `It asked for more of its ${event.limit_name} limit, and had no answer in time.`
}

type LimitEvent = Extract<StintEvent, { readonly event: 'limit_nearing' | 'limit_exceeded' }>

function standing({ limit_kind: meter, limit_name: name, used, requested, limit, source }: LimitEvent): string {
  const most = formatMaximum(meter, limit)
  const more =
    requested > 0 && used < limit ? `, and the next call needs up to ${displayAmount(meter, requested, 'up')}` : ''
  return `${name}: ${displayAmount(meter, used)} of ${most} used${more} (${source})`
}
