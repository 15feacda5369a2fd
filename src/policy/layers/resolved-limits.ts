import type { Action } from '../../core/limits/action.ts'
import type { Limit } from '../../core/limits/limit.ts'
import type { LimitSource } from '../../core/limits/limit-source.ts'
import type { Period } from '../../core/limits/window.ts'
import type { Meter } from '../../core/meter.ts'

/** Something that did not take effect as written. */
export interface Notice {
  readonly kind:
    | 'ceiling-applied'
    | 'model-not-lower'
    | 'model-raised-to-floor'
    | 'model-not-allowed'
    | 'ceiling-not-removed'
    /** An untrusted layer tried to loosen a limit. */
    | 'not-trusted'
    /** Found while the scope runs: a call's cost is unknown and could not be checked against the limit. */
    | 'unpriced-model'
  /** `null` if it is not about a single meter. */
  readonly meter: Meter | null
  readonly per: Period | null | 'any'
  readonly message: string
  /** Where the setting that did not take effect was written. */
  readonly source: LimitSource
}

/** One change that a layer made to a limit, in the order in which layers apply. */
export interface LimitStep {
  readonly meter: Meter
  readonly per: Period | null
  /** `null`: removed, in every period. */
  readonly max: number | null
  readonly source: LimitSource
}

/** A removal in force: no stronger layer set the meter again. */
export interface RemovedLimit {
  readonly meter: Meter
  readonly source: LimitSource
}

/** The effective limits of a scope, and how they were resolved. */
export interface ResolvedLimits {
  /** By meter, then by period; a ceiling comes after the limit next to it. */
  readonly limits: readonly Limit[]
  /** The action of limits that don't name one. */
  readonly onLimit: Action
  /**
   * The maximum over a scope's whole life, per meter; `null` if there is none. A limit that only warns counts if there
   * is none that stops.
   */
  readonly max: Readonly<Record<Meter, number | null>>
  readonly removed: readonly RemovedLimit[]
  /** No raise may pass these. */
  readonly ceilings: readonly Limit[]
  /** No model may lower a limit below these. */
  readonly floors: readonly Limit[]
  readonly notices: readonly Notice[]
  readonly history: readonly LimitStep[]
}

/** The key under which limits of several layers replace each other. */
export function mergeKey(limit: { readonly meter: Meter; readonly per: Period | null }): string {
  return `${limit.meter}/${limit.per ?? ''}`
}
