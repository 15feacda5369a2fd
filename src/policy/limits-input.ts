import type { Period } from '../core/window.ts'
import type { LimitName } from './limit-names.ts'
import type { ACTION_WORDS, PUBLISHED_ACTION_WORDS } from './limit-settings.ts'
import type { ParsedLimits } from './parsed-limits.ts'

/** A word for an action, as people write it. */
export type ActionWord = (typeof ACTION_WORDS)[number]

/** A limit with more than a maximum. */
export interface LimitDetail {
  readonly max: number | string
  readonly per?: Period
  /** Only with `per`. */
  readonly timeZone?: string
  readonly action?: ActionWord
  readonly nearing?: number | readonly number[]
  /** Only with `tokens`: which tokens count. */
  readonly basis?: 'all' | 'output' | 'uncached'
}

/** One limit, one limit per period, or `null` (`'unlimited'`) for none. */
export type LimitValue = number | string | null | LimitDetail | readonly (number | string | LimitDetail)[]

/** Limits as people write them in code: `{ toolCalls: 25, cost: 1, time: '10m' }`. */
export type LimitsObject = {
  readonly [Name in LimitName]?: LimitValue
} & {
  readonly onLimit?: ActionWord
  readonly timeout_action?: (typeof PUBLISHED_ACTION_WORDS)[number]
  /** The default of every limit here. */
  readonly nearing?: number | readonly number[]
  readonly timeZone?: string
}

/** Everything that can be handed over as limits: an object, objects and `KEY=VALUE` texts in a list, or parsed limits. */
export type LimitsInput = LimitsObject | readonly (LimitsObject | string)[] | ParsedLimits
