import type { LedgerStore } from '../../core/index.ts'

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
}

/** What was removed, from how many trees. */
export interface PruneReport {
  readonly roots: number
  readonly scopes: number
  readonly reservations: number
  readonly entries: number
}

/** The ledgers on this machine's disk. */
export interface LedgerFiles {
  /** Opens the ledger, and creates it if needed, along with its folder if `createFolder` is set. */
  open(file: string, options: { readonly createFolder: boolean }): Promise<LedgerStore>
  verify(file: string): Promise<VerifyReport>
  describe(file: string): Promise<LedgerDescription>
  prune(file: string, options: PruneOptions): Promise<PruneReport>
}
