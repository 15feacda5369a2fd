import type { ParsedLimits } from '../../policy/index.ts'
import type { PriceList } from '../../pricing/index.ts'
import type { StoreAddress } from './store-address.ts'
import type { UpstreamName, UpstreamSettings } from './upstream-settings.ts'

/** Where events are logged; `null`: nowhere. */
export interface LogSettings {
  readonly file: string
  readonly maxBytes: number | null
  readonly keep: number | null
}

/** What one config file says. What it leaves out is `null` or empty. */
export interface ConfigFile {
  readonly file: string
  readonly layer: 'user' | 'project'
  readonly store: { readonly address: StoreAddress; readonly place: string } | null
  /** The limits of runs, and the defaults beside them. */
  readonly limits: readonly ParsedLimits[]
  readonly ceilings: readonly ParsedLimits[]
  readonly budgets: ReadonlyMap<string, ParsedLimits>
  readonly prices: PriceList
  readonly log: { readonly settings: LogSettings | null } | null
  readonly upstreams: ReadonlyMap<UpstreamName, UpstreamSettings>
}
