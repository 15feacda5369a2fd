import { displayAmount, formatMaximum, type StintEvent } from '../../../core/index.ts'
import type { Governor, Scope } from '../../../governor/index.ts'
import type { RunLog } from '../run-log.ts'

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

/** Reports events of a run's limits, and updates its task record. Returns a function that stops it. */
export function followEvents(governor: Governor, scope: Scope, log: RunLog): () => Promise<void> {
  const listener = (event: StintEvent): void => {
    if (event.task_id !== scope.id) return
    follow(event, log)
  }
  const end = governor.on(listener, { names: FOLLOWED })
  return async () => {
    // Pending events are delivered in the next turn.
    await new Promise((resolve) => setImmediate(resolve))
    end()
  }
}

function follow(event: StintEvent, log: RunLog): void {
  // One step may pass the threshold and reach the limit, which has its own event.
  if (event.event === 'limit_nearing' && event.used < event.limit)
    log.report({ kind: 'nearing', message: standing(event) })
  if (event.event === 'limit_exceeded') log.report({ kind: 'exceeded', message: standing(event) })
  if (event.event === 'agent_warning') {
    log.warn(`Execution limit exceeded: ${event.limit_name} (a warning; the run continues)`)
    log.updateTask({ warnings: [...log.warnings] })
  }
  if (event.event === 'agent_paused') {
    log.updateTask({ status: 'paused', runStatus: 'paused', reason: event.reason, resume_url: event.resume_url })
    log.report({ kind: 'paused', message: event.reason })
  }
  if (event.event === 'agent_resumed') {
    log.updateTask({ status: 'in_progress', runStatus: 'running', reason: null, resume_url: null })
  }
  if (event.event === 'increase_requested') {
    const { request, limit_kind: meter, limit_name: name, asked, reason } = event
    const message = `${displayAmount(meter, asked, 'up')} more of its ${name} limit`
    log.report({ kind: 'asking', request, message, reason })
  }
  const answer = answerTo(event)
  if (answer !== null) log.report({ kind: 'answered', message: answer })
  // A number comes from the provider; a sentence is ours, about a limit that cannot be enforced.
  if (event.event === 'usage_anomaly' && event.value.includes(' ')) log.warn(event.value)
}

/** The answer to a request for more; `null` for other events. */
function answerTo(event: StintEvent): string | null {
  if (event.event === 'increase_granted') {
    const { limit_kind: meter, limit_name: name, granted, by } = event
    return `It was given ${displayAmount(meter, granted)} more of its ${name} limit${by === null ? '' : ` (${by})`}.`
  }
  if (event.event === 'increase_denied') {
    return `It was denied more of its ${event.limit_name} limit${event.by === null ? '' : ` (${event.by})`}.`
  }
  if (event.event !== 'increase_expired') return null
  return `It asked for more of its ${event.limit_name} limit and got no answer in time.`
}

type LimitEvent = Extract<StintEvent, { readonly event: 'limit_nearing' | 'limit_exceeded' }>

function standing({ limit_kind: meter, limit_name: name, used, requested, limit, source }: LimitEvent): string {
  const most = formatMaximum(meter, limit)
  const more =
    requested > 0 && used < limit ? `, and the next call needs up to ${displayAmount(meter, requested, 'up')}` : ''
  return `${name}: ${displayAmount(meter, used)} of ${most} used${more} (${source})`
}
