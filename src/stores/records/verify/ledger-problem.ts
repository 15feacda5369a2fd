/** Something in a ledger that isn't as it was written. */
export interface LedgerProblem {
  /** The table, or the file. */
  readonly place: string
  /** The row, as far as it can be identified. */
  readonly row: string | null
  readonly problem: string
}

export type ReportProblem = (problem: LedgerProblem) => void
