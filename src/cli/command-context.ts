import type { Config } from '../config/config.ts'
import type { StoreAddress } from '../config/store-address.ts'
import type { LedgerStore } from '../core/index.ts'
import type { Operator } from '../operate/operator.ts'
import type { Paint } from './output/paint.ts'
import type { Platform } from './platform.ts'

/** What a command works with. Everything is read or opened on first use. */
export interface CommandContext {
  readonly platform: Platform
  readonly paint: Paint
  /** The colours of stderr, wherever the answer is printed. */
  readonly errorPaint: Paint
  /** The columns available for a table: unlimited if the output is not a terminal. */
  readonly width: number
  /** Whether the answer is JSON. */
  readonly isJson: boolean
  /** The name recorded in the ledger with each operation. */
  readonly by: string
  /** What follows `--`: another program's command line, never read as our flags. */
  readonly rest: readonly string[]
  config(): Config
  /**
   * The ledger, or an empty one if there is none yet; only `create` creates it. `address` replaces the one in the
   * config.
   */
  store(options?: StoreOptions): Promise<LedgerStore>
  /** The ledger and who acts on it, for the operations in src/operate. */
  operator(options?: StoreOptions): Promise<Operator>
}

export interface StoreOptions {
  readonly create?: boolean
  readonly address?: StoreAddress
}
