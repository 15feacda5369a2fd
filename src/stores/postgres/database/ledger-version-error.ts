import { StintError } from '../../../core/index.ts'

/** The tables have another version: a newer Stint has migrated them, or an old copy was restored. */
export class LedgerVersionError extends StintError<'ledger_newer' | 'store_unavailable'> {
  constructor(found: number, known: number) {
    const what = `The ledger in this database has schema ${found}, and this Stint`
    if (found > known) {
      super(
        'ledger_newer',
        `${what} knows schemas up to ${known}: a newer Stint has migrated it. End this process, and start it with that version.`,
      )
    } else {
      super(
        'store_unavailable',
        `${what} had migrated it to ${known}: an older copy was restored. Start this process again.`,
      )
    }
  }
}
