import type { StintEvent } from '../../core/index.ts'
import type { MetricFamily } from './exposition.ts'

/** Counts what this process hears. Starts at 0 with it. */
export interface EventCounters {
  readonly listener: (event: StintEvent) => void
  families(): readonly MetricFamily[]
}

/** By event; limits also by meter and action, alerts by rule, ends by status: each a short list. */
export function createEventCounters(): EventCounters {
  const counts = new Map<
    string,
    { readonly labels: Readonly<Record<string, string>>; readonly name: string; count: number }
  >()

  function count(name: string, labels: Readonly<Record<string, string>>): void {
    const key = JSON.stringify([name, labels])
    const known = counts.get(key)
    if (known === undefined) counts.set(key, { labels, name, count: 1 })
    else known.count++
  }

  return {
    listener(event) {
      count('stint_events_total', { event: event.event })
      if (event.event === 'limit_exceeded') {
        count('stint_limits_exceeded_total', { meter: event.limit_kind, action: event.action })
      } else if (event.event === 'reservation_denied' || event.event === 'spawn_refused') {
        count('stint_refusals_total', { meter: event.limit_kind, action: event.action })
      } else if (event.event === 'alert_raised') count('stint_alerts_total', { rule: event.rule })
      else if (event.event === 'scope_closed') count('stint_ends_total', { status: event.status })
    },
    families: () =>
      Object.entries(HELP).map(([name, help]) => {
        const samples = [...counts.values()]
          .filter((each) => each.name === name)
          .map(({ labels, count: value }) => ({ labels, value: String(value) }))
        return { name, help, type: 'counter', samples }
      }),
  }
}

const HELP = {
  stint_events_total: 'Events in this process.',
  stint_limits_exceeded_total: 'Limits that were exceeded, in this process.',
  stint_refusals_total: 'Calls and agents that a limit refused, in this process.',
  stint_alerts_total: 'Alerts that this process raised.',
  stint_ends_total: 'Scopes that ended, in this process.',
} as const
