import type { KillPoint } from './kill-points.ts'

/** The order of a worker. */
export interface WorkerOrder {
  readonly file: string
  readonly root: string
  /** The run of a worker that died, to be adopted; or a new one. */
  readonly run: string
  readonly seed: number
  readonly point: KillPoint
  /** How often it passes the point before it dies there. */
  readonly count: number
  readonly pruneBeforeMs: number
}

/** What a worker reports, each line after the ledger has answered, except for what it is about to do. */
export type Told =
  | { readonly kind: 'opening' | 'ready' | 'pruning' | 'pruned' }
  | { readonly kind: 'holder'; readonly holder: string }
  | { readonly kind: 'opened'; readonly scope: string }
  | { readonly kind: 'granted'; readonly reservation: string; readonly scope: string; readonly tokens: number }
  | { readonly kind: 'breached' }
  | { readonly kind: 'settling' | 'settled'; readonly reservation: string; readonly tokens: number }
  | { readonly kind: 'released'; readonly reservation: string }
  | { readonly kind: 'keeping' | 'kept'; readonly scope: string; readonly version: number }
  /** `by` names this pause or resume alone. */
  | { readonly kind: 'paused' | 'resumed'; readonly by: string }
  | { readonly kind: 'closed'; readonly scope: string }
