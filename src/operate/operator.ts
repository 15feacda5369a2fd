import type { LedgerStore } from '../core/index.ts'

/** Who acts on which ledger. Operations read no flags, environment or config of their own. */
export interface Operator extends LedgerReader {
  /** The name recorded in the ledger with each operation. */
  readonly by: string
  /** Whether a process is alive; `null` if that cannot be seen from this machine. */
  isHolderAlive(holder: string): boolean | null
}

/** Enough to look something up. */
export interface LedgerReader {
  readonly store: LedgerStore
  nowMs(): number
}
