import { DEFAULT_ACTION } from '../core/action.ts'
import { hasSameWindows } from '../core/covers.ts'
import type { Limit } from '../core/limit.ts'
import type { ScopeDefaults } from './complete-entry.ts'
import type { SetEntry } from './parsed-limits.ts'

/**
 * The limit that an entry makes which may only tighten; `null` where it does not. It ends the run, which no action is
 * harder than, and counts in the days of those who are believed.
 */
export function tightenLimit(
  { meter, max, per, nearing, source }: SetEntry,
  held: Limit | undefined,
  scope: ScopeDefaults,
): Limit | null {
  const { timeZone } = scope
  const limit: Limit = { meter, max, per, timeZone, action: DEFAULT_ACTION, nearing: nearing ?? scope.nearing, source }
  return held === undefined || (hasSameWindows(limit, held) && max <= held.max) ? limit : null
}
