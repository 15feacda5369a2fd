import type { SqlRow, SqlValue } from '../../../records/rows/sql-row.ts'

export type { SqlRow, SqlValue }

/** A prepared statement with positional `?` parameters. With any other number of them it throws and does nothing. */
export interface Statement {
  run(...parameters: readonly SqlValue[]): { readonly changes: number }
  get(...parameters: readonly SqlValue[]): SqlRow | undefined
  all(...parameters: readonly SqlValue[]): readonly SqlRow[]
  /** The same, one row after the other, for more rows than memory should hold. Inside a transaction. */
  iterate(...parameters: readonly SqlValue[]): Iterable<SqlRow>
}

/** Fixed when the file is created: `wal` if this SQLite's is sound, else `rollback`. */
export type JournalMode = 'wal' | 'rollback'

/** An open ledger file. It never waits for a lock: `isBusyError` tells when to try again. */
export interface Database {
  /** Absolute, with links resolved, so that all names of a ledger share one high-water file. */
  readonly file: string
  /** Whether this call created the file. */
  readonly created: boolean
  readonly journalMode: JournalMode
  readonly sqliteVersion: string
  /** Throws `ledger_replaced` once the file, or one that belongs to it, was replaced or removed, and keeps throwing. */
  assertInPlace(): void
  /** Runs any number of statements, without parameters. */
  exec(sql: string): void
  prepare(sql: string): Statement
  /**
   * Opens a write transaction. Throws a busy error at once, and `ledger_newer` if another process has migrated the
   * file.
   */
  beginWrite(): void
  /** Opens a read transaction with one consistent state. Throws a busy error at once, never later. */
  beginRead(): void
  /** In rollback mode this can be busy too, while others read: the transaction stays open, try again. */
  commit(): void
  /** Never throws. */
  rollback(): void
  /** Idempotent. */
  close(): void
}
