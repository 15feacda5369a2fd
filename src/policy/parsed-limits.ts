import type { Action } from '../core/action.ts'
import type { Layer, LimitSource } from '../core/limit-source.ts'
import type { Meter } from '../core/meter.ts'
import type { Period } from '../core/window.ts'

/** A maximum that somebody wrote. `null` where the scope's default is meant. */
export interface SetEntry {
  readonly kind: 'set'
  readonly meter: Meter
  readonly max: number
  readonly per: Period | null
  readonly timeZone: string | null
  readonly action: Action | null
  readonly nearing: readonly number[] | null
  readonly source: LimitSource
}

/** "Unlimited": takes away what lower layers wrote for this meter, in every period. */
export interface RemovalEntry {
  readonly kind: 'removal'
  readonly meter: Meter
  readonly source: LimitSource
}

export type LimitEntry = SetEntry | RemovalEntry

/** What one layer says: its entries, and its defaults for the scope. */
export interface ParsedLimits {
  readonly layer: Layer
  /** The layer is not trusted: it may lower limits and set new ones, but not raise, remove or soften any. */
  readonly onlyTightens?: true
  readonly entries: readonly LimitEntry[]
  readonly onLimit: { readonly action: Action; readonly source: LimitSource } | null
  readonly nearing: { readonly thresholds: readonly number[]; readonly source: LimitSource } | null
  readonly timeZone: { readonly name: string; readonly source: LimitSource } | null
}

// A tag that no JSON or YAML can carry, so that a document is never taken for something already checked.
const TAG = Symbol.for('stint.parsed-limits')

/** Marks limits as checked. */
export function tagParsedLimits(limits: ParsedLimits): ParsedLimits {
  return Object.freeze(Object.defineProperty({ ...limits }, TAG, { value: true }))
}

/** Whether `value` came out of a parser of this package. */
export function isParsedLimits(value: unknown): value is ParsedLimits {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, TAG)
}

/** The same limits as part of another layer. */
export function inLayer(limits: ParsedLimits, layer: Layer): ParsedLimits {
  if (limits.layer === layer) return limits
  const moved = <Item extends { readonly source: LimitSource }>(item: Item): Item => ({
    ...item,
    source: { ...item.source, layer },
  })
  return tagParsedLimits({
    ...limits,
    layer,
    entries: limits.entries.map(moved),
    onLimit: limits.onLimit && moved(limits.onLimit),
    nearing: limits.nearing && moved(limits.nearing),
    timeZone: limits.timeZone && moved(limits.timeZone),
  })
}
