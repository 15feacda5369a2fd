import type { StoreAddress } from '../../config/store-address.ts'
import type { AlertRule, LedgerStore } from '../../core/index.ts'

/** A ledger that outlives its processes. */
export type KeptLedger = Exclude<StoreAddress, { readonly kind: 'memory' }>

/** The result of recomputing the whole journal. */
export interface VerifyReport {
  readonly ok: boolean
  readonly entries: number
  readonly scopes: number
  readonly problems: readonly VerifyProblem[]
}

export interface VerifyProblem {
  /** The table or file. */
  readonly place: string
  readonly row: string | null
  readonly problem: string
}

/** The state of a ledger's file, read without changing it. */
export interface LedgerDescription {
  readonly journalMode: string
  readonly sqliteVersion: string
  readonly sizeBytes: number
  readonly entries: number
  /** How many entries the journal is known to have had; `null` if unknown. */
  readonly highWater: number | null
}

export interface PruneOptions {
  /** Only what ended before that. */
  readonly beforeMs: number
  readonly atMs: number
  /** Only counts what would be removed. */
  readonly isDryRun: boolean
  /** If more is in use, what is younger goes as well, the oldest first. */
  readonly mostBytes?: number
  /** Does nothing if that was done less than this long ago. */
  readonly everyMs?: number
}

/** What was removed, from how many trees. */
export interface PruneReport {
  /** `false`: it was done less than `everyMs` ago, and nothing was done now. */
  readonly wasDue: boolean
  readonly roots: number
  readonly scopes: number
  readonly reservations: number
  readonly entries: number
  readonly events: number
  /** What ended before this was removed. */
  readonly beforeMs: number
  /** The size of the ledger. */
  readonly bytesBefore: number
  readonly bytesAfter: number
}

/** The ledgers that can be looked after: files of this machine, and databases. */
export interface LedgerFiles {
  /** Opens the ledger, and creates it if needed, along with its folder if `createFolder` is set. */
  open(
    file: string,
    options: { readonly createFolder: boolean; readonly alerts?: readonly AlertRule[] },
  ): Promise<LedgerStore>
  verify(ledger: KeptLedger): Promise<VerifyReport>
  describe(file: string): Promise<LedgerDescription>
  prune(ledger: KeptLedger, options: PruneOptions): Promise<PruneReport>
}
