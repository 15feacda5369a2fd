import type { LedgerFiles } from './ledger/ledger-files.ts'

/** What the command line knows of the machine it runs on. Everything else is handed down from here. */
export interface Platform {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workingFolder: string
  readonly homeFolder: string
  /** Who is written down as having done something, unless `--by` says otherwise. */
  readonly userName: string
  readonly nodeVersion: string
  /** Whether a person reads what is written out. */
  readonly isTerminal: boolean
  readonly ledgerFiles: LedgerFiles
  nowMs(): number
  writeOut(text: string): void
  writeError(text: string): void
  /** `null`: it runs on another machine, so that nobody here can know. */
  isHolderAlive(holder: string): boolean | null
}
