import type { Action, Meter, StintEvent } from '../../core/index.ts'
import type { Answer } from '../contract.ts'

type LimitHits = Answer<'GET /api/reports/limits'>

const HOUR_MS = 3_600_000

/** Limits that were reached, by hour and by what they did. */
export function limitHits(events: readonly StintEvent[]): Pick<LimitHits, 'hours' | 'actions' | 'meters'> {
  const hours = new Map<number, { readonly runs: Set<string>; readonly actions: Record<Action, number> }>()
  const actions = noActions()
  const meters = new Map<Meter, number>()
  for (const event of events) {
    if (event.event !== 'limit_exceeded') continue
    const hourMs = Math.floor(Date.parse(event.ts) / HOUR_MS) * HOUR_MS
    const hour = hours.get(hourMs) ?? { runs: new Set<string>(), actions: noActions() }
    hours.set(hourMs, hour)
    hour.runs.add(event.run_id)
    hour.actions[event.action]++
    actions[event.action]++
    meters.set(event.limit_kind, (meters.get(event.limit_kind) ?? 0) + 1)
  }
  return {
    hours: [...hours]
      .sort(([left], [right]) => left - right)
      .map(([hourMs, { runs, actions: done }]) => ({ hourMs, runs: runs.size, actions: done })),
    actions,
    meters: [...meters].map(([meter, count]) => ({ meter, count })).sort((left, right) => right.count - left.count),
  }
}

function noActions(): Record<Action, number> {
  return { terminate: 0, pause: 0, warn: 0, ask: 0 }
}
