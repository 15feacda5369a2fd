import type { Place } from '../../router/route.ts'

/** What spend can be grouped by. */
export const GROUPS = ['model', 'team', 'agent', 'user', 'tool', 'run'] as const

export type Group = (typeof GROUPS)[number]

/** The group of the address. */
export function groupOf({ filters }: Place): Group {
  return GROUPS.find((group) => group === filters.by) ?? 'model'
}
