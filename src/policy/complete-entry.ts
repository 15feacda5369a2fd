import type { Action } from '../core/action.ts'
import type { Limit } from '../core/limit.ts'
import type { SetEntry } from './parsed-limits.ts'

/** What holds for the limits of a scope that do not say it themselves. */
export interface ScopeDefaults {
  readonly onLimit: Action
  readonly nearing: readonly number[]
  readonly timeZone: string
}

/** The limit that an entry means in a scope with these defaults. */
export function completeEntry(entry: SetEntry, scope: ScopeDefaults): Limit {
  const { meter, max, per, source } = entry
  return {
    meter,
    max,
    per,
    timeZone: entry.timeZone ?? scope.timeZone,
    action: entry.action ?? scope.onLimit,
    nearing: entry.nearing ?? scope.nearing,
    source,
  }
}
