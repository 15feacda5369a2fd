import { type ErrorCode, StintError } from '../../../../core/stint-error.ts'

export type LedgerFileCode = Extract<ErrorCode, `ledger_${string}`>

/** The ledger file can't be used as it is. Nothing was created or changed. */
export class LedgerFileError extends StintError<LedgerFileCode> {
  readonly file: string

  /** `problem` completes "The ledger FILE …"; `remedy` is a sentence. */
  constructor(code: LedgerFileCode, file: string, problem: string, remedy: string, cause?: unknown) {
    super(code, `The ledger ${file} ${problem}. ${remedy}`, { cause })
    this.file = file
  }
}

const RESTORE = 'Restore it from a copy, or move it away together with its .high-water file to start a new one.'

/** `problem` completes "The ledger FILE …". */
export function damagedLedger(file: string, problem: string, cause?: unknown): LedgerFileError {
  return new LedgerFileError('ledger_damaged', file, problem, RESTORE, cause)
}

/** A ledger that should exist and doesn't. It isn't replaced by a new one, whose budgets would all be unspent. */
export function missingLedger(file: string, problem: string, remedy: string): LedgerFileError {
  return new LedgerFileError('ledger_missing', file, problem, remedy)
}

/** `problem` completes "The ledger FILE …". */
export function inaccessibleLedger(file: string, problem: string, remedy: string, cause?: unknown): LedgerFileError {
  return new LedgerFileError('ledger_inaccessible', file, problem, remedy, cause)
}

/** `problem` completes "The ledger FILE …". */
export function readOnlyLedger(file: string, problem: string, cause?: unknown): LedgerFileError {
  const remedy = 'Give the user of this process permission to write the file and its folder, or use another ledger.'
  return new LedgerFileError('ledger_read_only', file, problem, remedy, cause)
}

/** A ledger with a schema that this Stint doesn't know. */
export function newerLedger(file: string, version: number, newest: number): LedgerFileError {
  const problem = `has the schema ${version} of a newer Stint; this one supports schemas up to ${newest}`
  return new LedgerFileError('ledger_newer', file, problem, 'Update Stint, or use another ledger.')
}

/** The same, if it happened while the ledger was open: what this process writes would mean something else now. */
export function migratedLedger(file: string, version: number, known: number): LedgerFileError {
  return new LedgerFileError(
    'ledger_newer',
    file,
    `was migrated from schema ${known} to schema ${version} by a newer Stint while this process had it open`,
    'Nothing more is granted or written here. Stop this process and start it again with the newer Stint.',
  )
}

/** The journal is shorter than it has been: an old copy was restored, or its end was lost. */
export function ledgerLostTail(found: { file: string; entries: number; highWater: number }): LedgerFileError {
  const { file, entries, highWater } = found
  return new LedgerFileError(
    'ledger_lost_tail',
    file,
    `has ${entries} journal entries, but already had ${highWater}`,
    'An old copy was restored, or its end was lost. Restore the newest copy; this one lacks what was spent since.',
  )
}

/** The open ledger is no longer the one that other processes open: budget would be granted twice. */
export function replacedLedger(file: string, path: string, what: string): LedgerFileError {
  const whole = path === file ? `was ${what}` : `is incomplete: ${path} was ${what}`
  return new LedgerFileError(
    'ledger_replaced',
    file,
    `${whole} while this process had it open`,
    'Nothing more is granted or written here. Stop this process, make sure that the right file is in place, and start it ' +
      'again; calls that were in flight are then charged in full wherever their reservations are known.',
  )
}
