/** The range of a published name. `text` is the same range as a pattern, for the command line. */
export interface PublishedRange {
  readonly minimum: number
  readonly maximum: number
  readonly text: string
}

// 0.01 to 100 dollars, with at most nine decimals.
const USD: PublishedRange = {
  minimum: 0.01,
  maximum: 100,
  text: String.raw`\$?(?:[1-9]\d?(?:\.\d{1,9})?|0\.(?:[1-9]\d{0,8}|0[1-9]\d{0,7})|100(?:\.0{1,9})?)`,
}

/** The published names of `execution_limits` for one agent, each with its range. */
export const PUBLISHED_RANGES = {
  max_turns: { minimum: 1, maximum: 100, text: String.raw`[1-9]\d?|100` },
  max_duration_ms: {
    minimum: 1000,
    maximum: 3_600_000,
    text: String.raw`[1-9]\d{3,5}|[12]\d{6}|3[0-5]\d{5}|3600000`,
  },
  max_cost_usd: USD,
  max_total_cost_usd: USD,
  max_planning_cost_usd: USD,
  max_execution_cost_usd: USD,
} as const satisfies Record<string, PublishedRange>

/** Shared budgets inside `execution_limits`: cost limits on the caller's team, and on the caller per day. */
export const SHARED_BUDGET_NAMES = ['team_budget_usd', 'user_budget_usd'] as const

export type SharedBudgetName = (typeof SHARED_BUDGET_NAMES)[number]
