/** What spending can be grouped by. */
export const SPEND_GROUPS = ['agent', 'model', 'tool', 'user', 'team', 'day', 'hour'] as const

export type SpendGroup = (typeof SPEND_GROUPS)[number]
