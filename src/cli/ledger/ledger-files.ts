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

/** What can be said of a ledger's file without changing it. */
export interface LedgerDescription {
  readonly journalMode: string
  readonly sqliteVersion: string
  readonly sizeBytes: number
  readonly entries: number
  /** How many entries the journal is known to have had; `null` where nothing says so. */
  readonly highWater: number | null
}

/** The ledgers on this machine's disk. */
export interface LedgerFiles {
  /** Opens the ledger, and makes it where there is none; its folder too, if that is ours to make. */
  open(file: string, options: { readonly createFolder: boolean }): Promise<LedgerStore>
  verify(file: string): Promise<VerifyReport>
  describe(file: string): Promise<LedgerDescription>
}
