import type { Action } from '../core/action.ts'
import type { Limit } from '../core/limit.ts'
import type { LimitSource } from '../core/limit-source.ts'
import type { Meter } from '../core/meter.ts'
import type { Period } from '../core/window.ts'

/** Something that somebody wrote and that did not take effect as written. */
export interface Notice {
  readonly kind:
    | 'ceiling-applied'
    | 'model-not-lower'
    | 'model-raised-to-floor'
    | 'model-not-allowed'
    | 'ceiling-not-removed'
    /** A layer that only tightens asked for more than that. */
    | 'not-trusted'
    /** Found out while the scope runs: what a call cost could not be held against the limit. */
    | 'unpriced-model'
  /** `null` where it is about no single meter. */
  readonly meter: Meter | null
  readonly per: Period | null | 'any'
  readonly message: string
  /** Of what did not take effect. */
  readonly source: LimitSource
}

/** One thing that a layer did to a limit, in the order in which the layers apply. */
export interface LimitStep {
  readonly meter: Meter
  readonly per: Period | null
  /** `null`: removed, in every period. */
  readonly max: number | null
  readonly source: LimitSource
}

/** A removal that holds: no later layer set the meter again. */
export interface RemovedLimit {
  readonly meter: Meter
  readonly source: LimitSource
}

/** What holds for a scope, and how it came about. */
export interface ResolvedLimits {
  /** By meter, then by period; a ceiling beside the limit that it stands for comes after it. */
  readonly limits: readonly Limit[]
  /** The action of limits that have none of their own. */
  readonly onLimit: Action
  /**
   * The maximum over a scope's whole life, per meter; `null` where there is none. What only warns counts where nothing
   * stops.
   */
  readonly max: Readonly<Record<Meter, number | null>>
  readonly removed: readonly RemovedLimit[]
  /** What no raise may pass. */
  readonly ceilings: readonly Limit[]
  /** What no model may lower a limit below. */
  readonly floors: readonly Limit[]
  readonly notices: readonly Notice[]
  readonly history: readonly LimitStep[]
}

/** The key under which limits of several layers replace each other. */
export function mergeKey(limit: { readonly meter: Meter; readonly per: Period | null }): string {
  return `${limit.meter}/${limit.per ?? ''}`
}
