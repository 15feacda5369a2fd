import type { Patience } from '../exec/index.ts'
import type { Gateway, GatewayOptions } from '../gateway/gateway.ts'
import type { LedgerFiles } from './ledger/ledger-files.ts'

/** A `stint` that runs by itself. */
export interface DetachedStart {
  readonly args: readonly string[]
  /** What it reads from standard input. */
  readonly input: string
  /** Where everything goes that it says. */
  readonly logFile: string
}

export interface Detached {
  readonly pid: number | null
  /** Its exit code, once it has ended; rejects where it could not be started. */
  readonly ended: Promise<number>
  /** Lets this process end before it. */
  letGo(): void
}

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
  /** At which of the standard streams a person sits. */
  readonly terminals: { readonly input: boolean; readonly output: boolean; readonly error: boolean }
  readonly ledgerFiles: LedgerFiles
  startGateway(options: GatewayOptions): Promise<Gateway>
  /** How long `exec` lets a command go on at its end, where that is not what the documentation says. */
  readonly patience?: Partial<Patience>
  /** Hears each time that the process is asked to end (INT, TERM, and HUP once), and then it must; until it is called off. */
  onStop(listener: () => void): () => void
  /** What is written to standard input, to its end. */
  readInput(): Promise<string>
  /** Asks a person at the terminal; no answer, or any but yes, is no. */
  confirm(question: string): Promise<boolean>
  /** How much of the terminal there is to draw on. */
  screen(): { readonly columns: number; readonly rows: number }
  /** Starts `stint` once more, apart from this process and its terminal. */
  startDetached(start: DetachedStart): Detached
  /** Ends this process at once, whatever is under way. */
  endNow(exitCode: number): never
  /** A command runs that must not be left alone: it goes on when its output is no longer read. */
  outliveOutput(): void
  /** From now on no signal ends this process by itself. `onStop` is called for each signal that asks it to end. */
  outliveSignals(onStop: () => void): void
  nowMs(): number
  writeOut(text: string): void
  writeError(text: string): void
  /** `null`: it runs on another machine, so that cannot be seen from here. */
  isHolderAlive(holder: string): boolean | null
}
