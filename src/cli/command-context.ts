import type { LedgerStore } from '../core/index.ts'
import type { Config } from './config/config.ts'
import type { StoreAddress } from './config/store-address.ts'
import type { Paint } from './output/paint.ts'
import type { Platform } from './platform.ts'

/** What a command works with. Nothing is read or opened before it is asked for. */
export interface CommandContext {
  readonly platform: Platform
  readonly paint: Paint
  /** The colours of stderr, wherever the answer goes. */
  readonly errorPaint: Paint
  /** How many columns there are for a table: without an end where no terminal shows it. */
  readonly width: number
  /** Who is written down as having done it. */
  readonly by: string
  /** What stands behind `--`: a command of somebody else's, which is never read as flags of ours. */
  readonly rest: readonly string[]
  config(): Config
  /**
   * The ledger. Where there is none yet it is an empty one, and it is only made with `create`. `address`: another one
   * than the config names.
   */
  store(options?: { readonly create?: boolean; readonly address?: StoreAddress }): Promise<LedgerStore>
}
