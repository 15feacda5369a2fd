import type { Config } from '../config/config.ts'
import type { StoreAddress } from '../config/store-address.ts'
import type { LedgerStore } from '../core/index.ts'
import type { Operator } from '../operate/operator.ts'
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
  /** Whether the answer is JSON. */
  readonly isJson: boolean
  /** The name that the ledger keeps beside what was done. */
  readonly by: string
  /** What comes after `--`: another program's command line, which is never read as flags of ours. */
  readonly rest: readonly string[]
  config(): Config
  /**
   * The ledger. Where there is none yet it is an empty one, and it is only made with `create`. `address`: not the one
   * that the config names.
   */
  store(options?: StoreOptions): Promise<LedgerStore>
  /** The ledger with who acts on it, for the operations of src/operate. */
  operator(options?: StoreOptions): Promise<Operator>
}

export interface StoreOptions {
  readonly create?: boolean
  readonly address?: StoreAddress
}
