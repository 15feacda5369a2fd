import type { Action } from '../../core/limits/action.ts'
import type { Layer, LimitSource } from '../../core/limits/limit-source.ts'
import type { Period } from '../../core/limits/window.ts'
import type { Meter } from '../../core/meter.ts'

/** A maximum. `null` means the scope's default. */
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

/** "Unlimited": removes the limits that lower layers set for this meter, in every period. */
export interface RemovalEntry {
  readonly kind: 'removal'
  readonly meter: Meter
  readonly source: LimitSource
}

export type LimitEntry = SetEntry | RemovalEntry

/** One layer: its entries, and its defaults for the scope. */
export interface ParsedLimits {
  readonly layer: Layer
  /** The layer is not trusted: it may lower limits and set new ones, but not raise, remove or soften them. */
  readonly onlyTightens?: true
  readonly entries: readonly LimitEntry[]
  readonly onLimit: { readonly action: Action; readonly source: LimitSource } | null
  readonly nearing: { readonly thresholds: readonly number[]; readonly source: LimitSource } | null
  readonly timeZone: { readonly name: string; readonly source: LimitSource } | null
}

// A tag that JSON and YAML cannot carry, so that a document is never mistaken for checked limits.
const TAG = Symbol.for('stint.parsed-limits')

/** Marks limits as checked. */
export function tagParsedLimits(limits: ParsedLimits): ParsedLimits {
  return Object.freeze(Object.defineProperty({ ...limits }, TAG, { value: true }))
}

/** Whether `value` was returned by one of our parsers. */
export function isParsedLimits(value: unknown): value is ParsedLimits {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, TAG)
}

/** The same limits, moved to another layer. */
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
