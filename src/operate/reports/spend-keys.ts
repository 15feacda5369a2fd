import type { HourSum } from '../../core/index.ts'
import { nameOn } from './payers.ts'
import type { SpendGroup } from './spend-group.ts'

/** The key of the group that a sum belongs to; `null` if it belongs to none. */
export interface SpendKeys {
  (sum: HourSum): string | null
  /** The same for groups of times. */
  ofHour(hourMs: number): string
}

export function spendKeys(
  by: SpendGroup,
  { timeZone, payers }: { readonly timeZone: string; readonly payers: ReadonlyMap<string, string> },
): SpendKeys {
  const ofHour = by === 'hour' ? hourText : dayTexts(timeZone)
  const keyOf = (sum: HourSum): string | null => {
    const { call, name, agentType, payerId, hourMs, amounts } = sum
    switch (by) {
      case 'agent':
        return agentType ?? '(no type)'
      case 'model':
        if (call === 'model') return name ?? '(no name)'
        return (amounts.cost ?? 0) > 0 ? '(no model)' : null
      case 'tool':
        return call === 'tool' ? (name ?? '(no name)') : null
      case 'user':
        return nameOn(payers.get(payerId), 'user') ?? '(no user)'
      case 'team':
        return nameOn(payers.get(payerId), 'team') ?? '(no team)'
      default:
        return ofHour(hourMs)
    }
  }
  return Object.assign(keyOf, { ofHour })
}

function hourText(hourMs: number): string {
  return `${new Date(hourMs).toISOString().slice(0, 13)}:00Z`
}

/** Days as `2026-11-18`, by the calendar of a time zone. An hour belongs to the day on which it began. */
function dayTexts(timeZone: string): (hourMs: number) => string {
  // The Swedish form is that of ISO 8601.
  const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const known = new Map<number, string>()
  return (hourMs) => {
    const day = known.get(hourMs) ?? calendar.format(hourMs)
    known.set(hourMs, day)
    return day
  }
}
