import type { Action } from '../../core/limits/action.ts'
import type { Limit } from '../../core/limits/limit.ts'
import type { SetEntry } from '../formats/parsed-limits.ts'

/** Defaults for the limits of a scope. */
export interface ScopeDefaults {
  readonly onLimit: Action
  readonly nearing: readonly number[]
  readonly timeZone: string
}

/** Fills the gaps of an entry with the scope's defaults. */
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
