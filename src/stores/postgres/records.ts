import type { AlertBook } from '../operations/index.ts'
import { ROW_WRITES, type RowWriteName } from '../records/rows/row-change.ts'
import type { SqlValue } from '../records/rows/sql-row.ts'
import { createStoredLedger, type StoredLedger } from '../records/stored-ledger.ts'
import { createLoadedRows, type LoadedRows } from './rows/loaded-rows.ts'

/** A change of one row, to be written. */
export interface PendingRow {
  readonly name: RowWriteName
  readonly values: readonly SqlValue[]
  /** Changes that are written together. Each row occurs once. */
  readonly round: number
}

/** The records of one or more trees in memory, and their unwritten changes. */
export interface Records {
  readonly ledger: StoredLedger
  readonly rows: LoadedRows
  readonly pending: PendingRow[]
  /** The transaction as of which everything in memory is valid; `null`: nothing is in memory. */
  change: number | null
  /** The number of the open transaction. */
  number: number
  /** Moves what was changed to `pending`. */
  flush(): void
  /** Drops everything in memory except rows loaded by the open transaction. */
  forget(): void
}

export function createRecords(alerts?: AlertBook): Records {
  const pending: PendingRow[] = []
  let round = 0
  const rows = createLoadedRows(() => pending.length)
  const ledger = createStoredLedger({
    source: rows.source,
    write: (name, values) => void pending.push({ name, values, round }),
    flush,
    ...(alerts === undefined ? {} : { alerts }),
  })
  function flush(): void {
    if (ledger.writeChanges(records.number)) round++
  }
  const records: Records = {
    ledger,
    rows,
    pending,
    change: null,
    number: 0,
    flush,
    forget() {
      ledger.forget()
      pending.length = 0
      records.change = null
    },
  }
  return records
}

const STEERED = ROW_WRITES.writeScope.columns.indexOf('steered')
const STEERED_ID = ROW_WRITES.steerScope.columns.indexOf('id')

/** The scopes among these changes whose owners must learn of it. */
export function steeredAmong(pending: readonly PendingRow[]): readonly string[] {
  const steered: string[] = []
  for (const { name, values } of pending) {
    if (name === 'steerScope') steered.push(values[STEERED_ID] as string)
    else if (name === 'writeScope' && values[STEERED] !== 0) steered.push(values[0] as string)
  }
  return steered
}
