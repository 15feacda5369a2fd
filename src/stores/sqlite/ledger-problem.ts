/** Something in a ledger that is not as it was written. */
export interface LedgerProblem {
  /** The table, or the file. */
  readonly place: string
  /** Which row of it, as far as that can be said. */
  readonly row: string | null
  readonly problem: string
}

/** Takes down a problem. */
export type ReportProblem = (problem: LedgerProblem) => void
