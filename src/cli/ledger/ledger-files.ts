import type { LedgerStore } from '../../core/index.ts'

/** What a recomputation of the whole journal found. */
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

/** What a ledger's file is like, found without changing it. */
export interface LedgerDescription {
  readonly journalMode: string
  readonly sqliteVersion: string
  readonly sizeBytes: number
  readonly entries: number
  /** How many entries the journal is known to have had; `null` where nothing says so. */
  readonly highWater: number | null
}

export interface PruneOptions {
  /** Only what ended before that. */
  readonly beforeMs: number
  readonly atMs: number
  /** Only counts what would go. */
  readonly isDryRun: boolean
}

/** What was forgotten, and of how many trees. */
export interface PruneReport {
  readonly roots: number
  readonly scopes: number
  readonly reservations: number
  readonly entries: number
}

/** The ledgers on this machine's disk. */
export interface LedgerFiles {
  /** Opens the ledger, and makes it where there is none; its folder too, if that is ours to make. */
  open(file: string, options: { readonly createFolder: boolean }): Promise<LedgerStore>
  verify(file: string): Promise<VerifyReport>
  describe(file: string): Promise<LedgerDescription>
  prune(file: string, options: PruneOptions): Promise<PruneReport>
}
