import type { LedgerStore } from '../core/index.ts'

/** Who acts on a ledger, and on which. Operations read no flag, no environment and no config beside it. */
export interface Operator extends LedgerReader {
  /** The name that the ledger keeps beside what was done. */
  readonly by: string
  /** Whether a process is alive; `null` where that cannot be seen from this machine. */
  isHolderAlive(holder: string): boolean | null
}

/** What is enough to look something up. */
export interface LedgerReader {
  readonly store: LedgerStore
  nowMs(): number
}
