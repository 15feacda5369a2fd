import type { Patience } from '../exec/index.ts'
import type { Gateway, GatewayOptions } from '../gateway/gateway.ts'
import type { LedgerFiles } from './ledger/ledger-files.ts'

/** A detached `stint` process. */
export interface DetachedStart {
  readonly args: readonly string[]
  /** What it reads from standard input. */
  readonly input: string
  /** Where its output goes. */
  readonly logFile: string
  /** Further variables of its environment. */
  readonly env: Readonly<Record<string, string>>
  /** Where it works. Default: where this process does. */
  readonly folder?: string
}

export interface Detached {
  readonly pid: number | null
  /** Its exit code, once it has ended; rejects if it could not be started. */
  readonly ended: Promise<number>
  /** Lets this process end before it. */
  letGo(): void
}

/** What the command line knows about its machine. Everything else is passed down from here. */
export interface Platform {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workingFolder: string
  readonly homeFolder: string
  /** The name recorded with each operation, unless `--by` is given. */
  readonly userName: string
  readonly hostName: string
  readonly nodeVersion: string
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean
  /** Which of the standard streams are terminals. */
  readonly terminals: { readonly input: boolean; readonly output: boolean; readonly error: boolean }
  readonly ledgerFiles: LedgerFiles
  startGateway(options: GatewayOptions): Promise<Gateway>
  /** How long `exec` lets a command run at its end, if not as documented. */
  readonly patience?: Partial<Patience>
  /**
   * Calls back each time the process is asked to end (INT, TERM, and HUP once), which it must then do. Returns a
   * function that stops listening.
   */
  onStop(listener: () => void): () => void
  /** All of standard input. */
  readInput(): Promise<string>
  /** Asks at the terminal; anything but yes is no. */
  confirm(question: string): Promise<boolean>
  /** The size of the terminal. */
  screen(): { readonly columns: number; readonly rows: number }
  /** Starts another `stint`, detached from this process and its terminal. */
  startDetached(start: DetachedStart): Detached
  /** Ends this process immediately. */
  endNow(exitCode: number): never
  /** A command is running that must not be abandoned: continue even if our output is no longer read. */
  outliveOutput(): void
  /** From now on no signal ends this process by itself; `onStop` is called for each one instead. */
  outliveSignals(onStop: () => void): void
  nowMs(): number
  writeOut(text: string): void
  writeError(text: string): void
  /** `null`: it runs on another machine and cannot be seen from here. */
  isHolderAlive(holder: string): boolean | null
}
