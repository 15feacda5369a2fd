import type { AlertBook, ReservationRecord } from '../operations/index.ts'
import { columnsOf } from '../records/rows/columns-of.ts'
import { createStoredLedger, type StoredLedger } from '../records/stored-ledger.ts'
import { createSqliteRows } from './sqlite-rows.ts'
import type { Statements } from './statements.ts'
import { WentBackError } from './went-back-error.ts'

const LEDGER = columnsOf('ledger')
const SCOPES = columnsOf('scopes')

// Ended scopes stay in memory up to this number; then everything is dropped and read again on demand.
const ENDED_KEPT = 2_000

const NOTHING_READ = -1

/** A ledger whose records are in a file. Everything here happens inside a transaction of its store. */
export interface SqliteLedger {
  /** What the operations run on. */
  readonly records: StoredLedger
  /** Reads what other processes have written. Comes first in every transaction. */
  catchUp(): void
  /** Writes what this transaction has changed. Comes last before the commit. */
  write(): void
  /** The changes are in the file now and must be present from now on. */
  committed(): void
  /** Drops everything in memory, which may differ from what is stored. */
  forget(): void
  /** The number of transactions that the ledger has seen, from all processes. */
  readonly change: number
}

/** Records stay in memory for later operations until another process changes them. */
export function createSqliteLedger(statements: Statements, alerts?: AlertBook): SqliteLedger {
  const source = createSqliteRows(statements)
  const records = createStoredLedger({
    source,
    write: (name, values) => void statements[name].run(...values),
    flush: write,
    isMoving,
    ...(alerts === undefined ? {} : { alerts }),
  })
  const { scopes } = records
  let change = NOTHING_READ
  // The highest value that the file has ever had, even if what was read is dropped.
  let seen = NOTHING_READ
  let wentBack: WentBackError | null = null

  // A reservation from before calls had their own table moves there when it is charged.
  function isMoving({ id }: ReservationRecord): boolean {
    return source.isOldCall(id) && statements.dropOldCall.run(id).changes > 0
  }

  function write(): void {
    if (!records.writeChanges(change + 1)) return
    change++
    statements.writeLedger.run(records.sequence, change, change)
  }

  function forget(): void {
    records.forget()
    change = NOTHING_READ
  }

  return {
    records,
    get change() {
      return change
    },
    catchUp() {
      const row = statements.ledger.get()!
      const stored = LEDGER.integer(row, 'change')
      if (stored < seen) wentBack ??= new WentBackError(stored, seen)
      if (wentBack !== null) throw wentBack
      seen = stored
      if (scopes.endedCount > ENDED_KEPT || LEDGER.integer(row, 'pruned') > change) forget()
      if (stored === change) return
      records.sequence = LEDGER.integer(row, 'sequence')
      if (change !== NOTHING_READ) {
        for (const changed of statements.scopesChanged.all(change)) scopes.readAgain(SCOPES.text(changed, 'id'))
      }
      records.forgetOthers()
      change = stored
    },
    write,
    committed() {
      seen = change
    },
    forget,
  }
}
