import type { Action } from '../../core/limits/action.ts'
import type { Period } from '../../core/limits/window.ts'
import type { Meter } from '../../core/meter.ts'
import type { LIMIT_ALIASES } from '../limits/limit-names.ts'
import type { PUBLISHED_ACTION_WORDS } from '../limits/limit-settings.ts'
import type { ParsedLimits } from './parsed-limits.ts'

/** A limit with more than a maximum. */
export interface LimitDetail {
  readonly max: number | string
  readonly per?: Period
  /** Only with `per`. */
  readonly timeZone?: string
  readonly action?: Action | 'request_increase'
  readonly nearing?: number | readonly number[]
  /** Only with `tokens`: which tokens count. */
  readonly basis?: 'all' | 'output' | 'uncached'
}

/**
 * Limits as people write them in code: `{ toolCalls: 25, cost: 1, time: '10m' }`. Under each name one limit, one limit
 * per period, or `null` (`'unlimited'`) for none.
 */
export type LimitsObject = {
  readonly [Name in Meter | (typeof LIMIT_ALIASES)[Meter][number]]?:
    | number
    | string
    | null
    | LimitDetail
    | readonly (number | string | LimitDetail)[]
} & {
  readonly onLimit?: Action | 'request_increase'
  readonly timeout_action?: (typeof PUBLISHED_ACTION_WORDS)[number]
  /** The default of every limit here. */
  readonly nearing?: number | readonly number[]
  readonly timeZone?: string
}

/** Everything that is accepted as limits: an object, a list of objects and `KEY=VALUE` texts, or parsed limits. */
export type LimitsInput = LimitsObject | readonly (LimitsObject | string)[] | ParsedLimits
