import type { Place } from '../../router/route.ts'
import type { TimelineItem, TimelineKind } from './timeline-items.ts'

/** What a timeline can be narrowed to, by the name in the address. */
export const SHOWS = {
  all: 'Everything',
  calls: 'Calls',
  limits: 'Limits, hints and requests',
  waits: 'Waits and pauses',
} as const

type Show = keyof typeof SHOWS

const KINDS: Readonly<Record<Exclude<Show, 'all'>, readonly TimelineKind[]>> = {
  calls: ['model', 'tool', 'closing'],
  limits: ['limit', 'hint', 'clamp', 'request'],
  waits: ['wait', 'pause'],
}

/** The filter of the address. */
export function showOf({ filters }: Place): Show {
  return filters.show !== undefined && Object.hasOwn(SHOWS, filters.show) ? (filters.show as Show) : 'all'
}

export function isShown({ kind }: TimelineItem, show: Show): boolean {
  return show === 'all' || KINDS[show].includes(kind)
}
